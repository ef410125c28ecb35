# SPDX-License-Identifier: Apache-2.0
"""Recipe for spack, for packages/ompd of a repository. Not tried."""
from spack.package import MakefilePackage, depends_on, license, make, version, working_dir


class Ompd(MakefilePackage):
    """Shows what an OpenMP program waits for, in a living process or a core file, in GDB and without it; with
    the OMPD library libompd and the runtime Companion."""

    homepage = "https://ompd.example/"
    url = "https://ompd.example/ompd-1.0.0.tar.gz"

    license("Apache-2.0")

    version("1.0.0")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("gmake", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("elfutils@0.187:")
    depends_on("jansson")
    depends_on("lz4")
    depends_on("zstd")
    depends_on("zlib-api")

    build_directory = "packaging"

    def install(self, spec, prefix):
        with working_dir(self.build_directory):
            make("install", "PREFIX=%s" % prefix)

    def setup_run_environment(self, env):
        # No LD_LIBRARY_PATH: it would put Companion under every program.
        env.set("OMPD_PREFIX", self.prefix)
