// What is dropped or picked: files with the folders that they come in.
import type { DropItem } from 'react-aria-components'

/** A file, and where it is to be below the folder that it is put in. */
export interface Picked {
  readonly path: string
  readonly file: File
}

/** Of the file picker: a folder that was picked is told by the browser in each file's own path. */
export const pickedFiles = (files: FileList | null): readonly Picked[] =>
  [...(files ?? [])].map(file => ({ path: file.webkitRelativePath || file.name, file }))

/** Files that were dropped, with all in the folders that were. */
export async function droppedFiles(items: Iterable<DropItem>, folder = ''): Promise<readonly Picked[]> {
  const found: Picked[] = []
  for (const item of items) {
    if (item.kind === 'file') found.push({ path: `${folder}${item.name}`, file: await item.getFile() })
    if (item.kind === 'directory') {
      const inside: DropItem[] = []
      for await (const entry of item.getEntries()) inside.push(entry)
      found.push(...(await droppedFiles(inside, `${folder}${item.name}/`)))
    }
  }
  return found
}
