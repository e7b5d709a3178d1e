"""What `pip wheel .` puts together; the rest stands in pyproject.toml.

A checkout keeps the templates at its top, a wheel has them in the package.
"""

from setuptools import find_namespace_packages, setup

setup(
    packages=[
        *find_namespace_packages(include=["armybuilder*", "catalogs*"]),
        "armybuilder.templates",
    ],
    package_dir={"armybuilder.templates": "templates"},
    package_data={"": ["**/*", "*"]},
)
