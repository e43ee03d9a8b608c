#!/usr/bin/env bash
# Prints the path of a Linux kernel that is an ordinary program (User Mode Linux) and has the kernel's GPIO simulator;
# builds it first where that was not done yet. It is kept in ~/.cache/pi-gm and never becomes part of the project.
# Needs nobody to be root and installs nothing. Ends with 77, and the reason, where it cannot be built at all.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_package=linux-source-6.1

cannot() {
    echo "the simulated kernel cannot be built here: $*" >&2
    exit 77
}

cache=${PI_GM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pi-gm}
# To be raised with whatever below makes another kernel of the same configuration.
recipe=1-$(sha256sum <"$here/uml-gpio.config" | cut -c1-12)
kernel=$cache/uml-gpiosim-$recipe
if [ -x "$kernel" ]; then
    echo "$kernel"
    exit
fi

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || cannot "User Mode Linux runs on Linux on x86-64 only"
for tool in apt-get dpkg-deb make gcc xz bc flock perl; do
    command -v "$tool" >/dev/null || cannot "$tool is missing (Debian: apt-get install build-essential bc xz-utils)"
done
mkdir -p "$cache"
exec 9>"$cache/uml-gpiosim.lock"
flock 9
if [ -x "$kernel" ]; then  # somebody else built it meanwhile
    echo "$kernel"
    exit
fi

scratch=$cache/uml-gpiosim.scratch
rm -rf "$scratch"
mkdir -p "$scratch"
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# Unpacks packages of the system's archive into ./tools without installing them.
unpack() {
    apt-get download -qq -o APT::Sandbox::User=root "$@" >&2 || cannot "apt-get cannot download $* (apt-get update, or Debian 12 is needed)"
    local package
    for package in ./*.deb; do
        dpkg-deb -x "$package" tools
        rm "$package"
    done
}

if ! { command -v flex && command -v bison; } >/dev/null; then
    unpack flex bison m4
    export PATH=$scratch/tools/usr/bin:$PATH M4=$scratch/tools/usr/bin/m4
    export BISON_PKGDATADIR=$scratch/tools/usr/share/bison
fi
unpack "$source_package"
echo "building the simulated kernel, once (3 to 5 minutes on 2 cores) …" >&2
tar xf "tools/usr/src/$source_package.tar.xz"
cd "$source_package"

# Hosts with AMX or AVX-512 have an xstate of 11008 bytes; UML reserves 2696, and every process then dies in
# put_fp_registers(). Room for 12288 bytes (which needs KERNEL_STACK_ORDER=4, see uml-gpio.config).
sed -i 's/DEFINE_LONGS(HOST_FP_SIZE, 2696)/DEFINE_LONGS(HOST_FP_SIZE, 12288)/' arch/x86/um/user-offsets.c
# UML marks all of its 64 IRQs as its own, so that the simulated lines get none (ENXIO on edge requests): 256 more.
sed -i -E 's/^(#define NR_IRQS[[:space:]]+)UM_LAST_SIGNAL_IRQ$/\1(UM_LAST_SIGNAL_IRQ + 256)/' arch/um/include/asm/irq.h
# gpio-sim raises its interrupts from irq_work, which UML runs at the next timer tick: within 1 ms instead of 10 ms.
sed -i '/^config HZ$/,/default/s/default 100$/default 1000/' arch/um/Kconfig
grep -q 'HOST_FP_SIZE, 12288' arch/x86/um/user-offsets.c
grep -q 'UM_LAST_SIGNAL_IRQ + 256' arch/um/include/asm/irq.h
grep -q 'default 1000$' arch/um/Kconfig

{
    make ARCH=um allnoconfig
    ./scripts/kconfig/merge_config.sh -m .config "$here/uml-gpio.config"
    make ARCH=um olddefconfig
    grep -q CONFIG_GPIO_SIM=y .config
    grep -q CONFIG_HOSTFS=y .config
    nice -n 10 make ARCH=um -j"$(nproc)" linux
    strip -o "$kernel.part" linux
} >"$cache/uml-gpiosim.log" 2>&1 || {
    tail -n 20 "$cache/uml-gpiosim.log" >&2
    exit 1
}
mv "$kernel.part" "$kernel"
echo "$kernel"
