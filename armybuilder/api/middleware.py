"""What goes wrong before or behind the views of the API is told in its shape, too."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from armybuilder.api.problems import MEDIA_TYPE, problem_response, said_of, title_of

PREFIX = "/api/"


class ProblemMiddleware:
    """Makes error pages under `/api/` problem details: for a host that is not ours, an
    unknown address, a failure of what stands around the views.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code < 400 or not request.path_info.startswith(PREFIX):
            return response
        if response.headers.get("Content-Type", "").startswith(MEDIA_TYPE):
            return response
        status = response.status_code
        return problem_response(status, title_of(status), said_of(status))
