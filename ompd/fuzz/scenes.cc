// SPDX-License-Identifier: Apache-2.0
// Writes the hand-made process of ompd/tests/image.h as image files, in shapes that no recorded image has.
//   scenes DIRECTORY
#include <cstdio>

#include "ompd/tests/save.h"

int main(int argc, char **argv)
{
    if (argc != 2)
        return 64;
    const std::string directory = argv[1];
    Shape odd, big32, middle;
    odd.wide = true;
    odd.root_slabs = 3; // so that there is a further block
    odd.arena = true;
    big32.big_endian = true;
    big32.pointer = 4;
    big32.natural = true;
    middle.ask = true;
    const struct {
        const char *name;
        const Shape &shape;
    } scenes[] = {{"scene_odd", odd}, {"scene_big32", big32}, {"scene_middle", middle}};
    for (const auto &scene : scenes)
        if (!SaveImage(Scene(scene.shape).image, directory + "/" + scene.name + ".img"))
            return 1;
    return 0;
}
