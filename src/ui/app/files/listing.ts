// What a folder of a bucket holds, and names inside it; pure.

export interface FileEntry {
  readonly name: string
  readonly isFolder: boolean
  /** Bytes; undefined for folders. */
  readonly size: number | undefined
  readonly type: string | undefined
  readonly changedAt: string | undefined
}

interface StoredObject {
  readonly name: string
  readonly id: string | null
  readonly updated_at?: string | null
  readonly metadata?: Readonly<Record<string, unknown>> | null
}

/** Entries of a listing: folders first, by name; the marker of an empty folder is left out. */
export const toEntries = (objects: readonly StoredObject[]): readonly FileEntry[] =>
  objects
    .filter(object => object.name !== '.emptyFolderPlaceholder')
    .map((object): FileEntry => {
      const size = object.metadata?.['size']
      const type = object.metadata?.['mimetype']
      return {
        name: object.name,
        isFolder: object.id === null,
        size: typeof size === 'number' ? size : undefined,
        type: typeof type === 'string' ? type : undefined,
        changedAt: object.updated_at ?? undefined,
      }
    })
    .sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || a.name.localeCompare(b.name))

/** `folder/name` without doubled or leading slashes. */
export const joinPath = (folder: string, name: string): string => [folder, name].filter(Boolean).join('/')

/** The folder and everything above it, from the bucket's root. */
export const crumbs = (folder: string): readonly { readonly name: string; readonly path: string }[] => {
  const parts = folder.split('/').filter(Boolean)
  return parts.map((name, index) => ({ name, path: parts.slice(0, index + 1).join('/') }))
}

/** A name that storage accepts: other characters become dashes, the ending stays. */
export const safeName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.!'()*&$@=;:+,? -]/g, '-')
