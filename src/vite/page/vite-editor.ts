// Opens files in the editor by the endpoint of the development server.
import { offerEditor } from '../../ui/console/source/editor-access.ts'

/** What the plugin knows about the server. */
export interface ServerEditor {
  /** URL of Vite's endpoint, which opens a file that is given as its query `file`. */
  readonly url: string
  /** Absolute path of the folder that the files of positions are relative to. */
  readonly root: string
}

/** Lets the links of the console open the editor. */
export function offerServerEditor({ url, root }: ServerEditor): void {
  offerEditor({
    root,
    async open(file) {
      const response = await fetch(`${url}?file=${encodeURIComponent(file)}`)
      if (!response.ok) throw new Error(`the server answered with ${response.status}`)
    },
  })
}
