// The editor that a development server opens for its pages. Imports nothing, since each page of an app loads it.

export interface EditorAccess {
  /** Opens a file by its absolute path, which ends with `:line:column`. Rejects if the server does not answer. */
  readonly open: (file: string) => Promise<void>
  /** Absolute path of the folder that the files of positions are relative to. */
  readonly root: string
}

let access: EditorAccess | undefined

/** Links open the editor from now on. Only the page itself knows the root; it is never that of a recording. */
export function offerEditor(offered: EditorAccess): void {
  access = offered
}

/** Undefined where positions can only be copied. */
export const editorAccess = (): EditorAccess | undefined => access
