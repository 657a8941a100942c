// Reads dropped or picked files with their folders.
import type { DropItem } from 'react-aria-components'

/** A file and its path below the target folder. */
export interface Picked {
  readonly path: string
  readonly file: File
}

/** From the file picker: for a picked folder, the browser provides each file's relative path. */
export const pickedFiles = (files: FileList | null): readonly Picked[] =>
  [...(files ?? [])].map(file => ({ path: file.webkitRelativePath || file.name, file }))

/** Dropped files, including all files in dropped folders. */
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
