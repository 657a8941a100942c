// A folder's entries with names, paths and sort order; pure.

export interface FileEntry {
  readonly name: string
  readonly isFolder: boolean
  /** Bytes; undefined for folders. */
  readonly size: number | undefined
  readonly type: string | undefined
  readonly changedAt: string | undefined
}

/** An object in a storage listing; a folder has no id. */
export interface StoredObject {
  readonly name: string
  readonly id: string | null
  readonly updated_at?: string | null
  readonly metadata?: Readonly<Record<string, unknown>> | null
}

/** The marker file that keeps an empty folder; the name Studio uses. */
export const FOLDER_MARKER = '.emptyFolderPlaceholder'

const byName = new Intl.Collator(undefined, { numeric: true })

const toEntry = (object: StoredObject): FileEntry => {
  const size = object.metadata?.['size']
  const type = object.metadata?.['mimetype']
  return {
    name: object.name,
    isFolder: object.id === null,
    size: typeof size === 'number' ? size : undefined,
    type: typeof type === 'string' ? type : undefined,
    changedAt: object.updated_at ?? undefined,
  }
}

/** Entries of a listing without duplicates: pages may overlap during concurrent uploads. */
export const toEntries = (objects: readonly StoredObject[]): readonly FileEntry[] => {
  const entries = new Map<string, FileEntry>()
  for (const object of objects) if (object.name !== FOLDER_MARKER) entries.set(object.name, toEntry(object))
  return sortEntries([...entries.values()], { by: 'name', dir: 'asc' })
}

export type SortColumn = 'name' | 'size' | 'type' | 'changed'
export interface FileSort {
  readonly by: SortColumn
  readonly dir: 'asc' | 'desc'
}

const VALUES: Readonly<Record<SortColumn, (entry: FileEntry) => string | number>> = {
  name: ({ name }) => name,
  size: ({ size }) => size ?? -1,
  type: ({ type }) => type ?? '',
  changed: ({ changedAt }) => changedAt ?? '',
}

/** Folders first in any order; numbers in names sort numerically. */
export const sortEntries = (entries: readonly FileEntry[], { by, dir }: FileSort): readonly FileEntry[] => {
  const valueOf = VALUES[by]
  const sign = dir === 'asc' ? 1 : -1
  return entries.toSorted((a, b) => {
    const folders = Number(b.isFolder) - Number(a.isFolder)
    if (folders !== 0) return folders
    const [one, second] = [valueOf(a), valueOf(b)]
    const ownEntries =
      typeof one === 'number' && typeof second === 'number'
        ? one - second
        : byName.compare(String(one), String(second))
    return sign * (ownEntries || byName.compare(a.name, b.name))
  })
}

/** Entries whose name contains the text, ignoring case. */
export const findEntries = (entries: readonly FileEntry[], text: string): readonly FileEntry[] => {
  const pattern = text.trim().toLowerCase()
  return pattern === '' ? entries : entries.filter(({ name }) => name.toLowerCase().includes(pattern))
}

/** `folder/name` without duplicate or leading slashes. */
export const joinPath = (folder: string, name: string): string => [folder, name].filter(Boolean).join('/')

/**
 * URL-encodes a path: supabase-js inserts paths of downloads, uploads and links unencoded, where `#`, `?` and
 * `%` would be misread.
 */
export const addressed = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** The folder of a path; empty for the bucket's root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

/** The last segment of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The folder and its parents, from the bucket's root. */
export const crumbs = (folder: string): readonly { readonly name: string; readonly path: string }[] => {
  const parts = folder.split('/').filter(Boolean)
  return parts.map((name, index) => ({ name, path: parts.slice(0, index + 1).join('/') }))
}

/** A name that every backend accepts: runs of other characters become a dash, the extension stays. */
export const safeName = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.!'()*&$@=;:+,? -]+/g, '-')
  const [, stem = '', extension = ''] = /^(.*?)(\.\w+)?$/s.exec(plain) ?? []
  // Of a name in another script, only dashes may be left.
  return plain === name || /\w/.test(stem) ? plain : `file${extension}`
}

/** Why this cannot be the name of a file or folder. */
export const nameFault = (name: string, otherNames: Iterable<string> = []): string | undefined => {
  if (name.trim() === '') return 'Enter a name.'
  if (name.includes('/')) return 'A name can’t contain a slash: move it into a folder instead.'
  if (name === '.' || name === '..') return 'This name is reserved.'
  for (const otherName of otherNames) if (otherName === name) return 'This name already exists here.'
  return undefined
}

/** Why this cannot be a folder path; empty is the bucket's root. */
export const folderFault = (path: string): string | undefined =>
  path !== '' && path.split('/').some(part => ['', '.', '..'].includes(part))
    ? 'Write folders as one/two, without a slash at either end.'
    : undefined
