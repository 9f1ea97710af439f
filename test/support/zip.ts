/** The names of the files in a zip archive, in its own order, read from the central directory at its end. */
export function zipNames(archive: Buffer): readonly string[] {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) {
    throw new Error('This is no zip archive: it has no end record.');
  }
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: count }, () => {
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const text = archive.toString('utf8', at + 46, at + 46 + name);
    at += 46 + name + extra + comment;
    return text;
  });
}
