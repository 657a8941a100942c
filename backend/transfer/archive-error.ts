/** Thrown for an archive that can't be used; the message names the damage. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

export const notAnExport = () => new ArchiveError('It is damaged, or no export of Chartroom.')
