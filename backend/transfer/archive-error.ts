/** Thrown for an invalid archive; the message names the damage. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

export const notAnExport = () => new ArchiveError('The file is damaged or is not a Chartroom export.')
