// SPDX-License-Identifier: Apache-2.0
#include "ompd/tests/save.h"

#include <fstream>

namespace
{

void Number(std::ofstream &out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        out.put((char)(value >> 8 * i));
}

} // namespace

bool SaveImage(const Image &image, const std::string &path)
{
    std::ofstream out(path, std::ios::binary);
    out << "OMPCIMG1";
    Number(out, image.shape.pointer, 1);
    Number(out, image.shape.big_endian ? 1 : image.shape.ask ? 2 : 0, 1);
    Number(out, 0, 2);
    Number(out, image.regions.size(), 4);
    Number(out, image.table, 8);
    for (const auto &[address, region] : image.regions) {
        size_t used = region.bytes.size(); // one run: what comes after it is zero
        while (used > 0 && region.bytes[used - 1] == 0)
            used--;
        Number(out, address, 8);
        Number(out, region.bytes.size(), 4);
        Number(out, 1, 4);
        Number(out, 0, 4);
        Number(out, used, 4);
        out.write((const char *)region.bytes.data(), (std::streamsize)used);
    }
    return out.good();
}
