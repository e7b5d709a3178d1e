"""Addresses of My lists."""

from django.urls import path

from armybuilder.admission.marks import MB, heavy, takes_bytes
from armybuilder.pages.my_lists.views import my_lists, paste, rosters, several

urlpatterns = [
    path("lists/", my_lists.my_lists, name="my-lists"),
    path("lists/open/", heavy(takes_bytes(16 * MB)(my_lists.upload)), name="open-list"),
    path("lists/paste/", heavy(paste.page), name="paste-list"),
    path("lists/read/", rosters.read, name="rosters-read"),
    path("lists/chosen/", my_lists.chosen, name="chosen-lists"),
    path("lists/tag/", my_lists.rename_tag, name="rename-tag"),
    path("lists/files.zip", heavy(several.save_lists), name="save-lists"),
    path("lists/side-by-side/", heavy(several.side_by_side), name="side-by-side"),
    path("lists/<uuid:list_id>/copy/", my_lists.copy, name="copy-list"),
    path("lists/<uuid:list_id>/rename/", my_lists.rename, name="rename-list"),
    path("lists/<uuid:list_id>/tags/", my_lists.set_tags, name="set-tags"),
    path("lists/<uuid:list_id>/delete/", my_lists.delete, name="delete-list"),
    path("lists/<uuid:list_id>/restore/", my_lists.restore, name="restore-list"),
    path("lists/<uuid:list_id>/list.ros", heavy(rosters.ros), name="list-ros"),
    path("lists/<uuid:list_id>/list.rosz", heavy(rosters.rosz), name="list-rosz"),
]
