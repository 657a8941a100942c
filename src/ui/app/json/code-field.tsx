// A code field in its own shadow root: CodeMirror's styles then become style sheets that a strict CSP allows.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { colors, look, typesOver } from './editor-look.ts'
import styles from './code-field.module.css'

/** Offsets in a text, in characters. */
export interface Selected {
  readonly anchor: number
  readonly head: number
}

export interface CodeFieldProps {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
  /** Initial selection to focus; undefined for no focus. */
  readonly selected: RefObject<Selected | undefined>
}

/** Beyond this length, highlighting and bracket matching cost too much. */
const MOST_COLORED = 300_000

const extensionsFor = (label: string, length: number, onText: (text: string) => void) => [
  history(),
  drawSelection(),
  indentOnInput(),
  // Ctrl+Enter saves, and Tab moves focus.
  keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap]),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
  EditorView.updateListener.of(update => {
    if (update.docChanged) onText(update.state.doc.toString())
  }),
  typesOver,
  look,
  ...(length > MOST_COLORED ? [] : [json(), lineNumbers(), bracketMatching(), syntaxHighlighting(colors)]),
]

/** The text may also change from outside. */
export function CodeField({ label, text, onChange, selected }: CodeFieldProps) {
  const host = useRef<HTMLSpanElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef({ onChange, text })
  /** Reported texts that have not come back as props yet. */
  const announced = useRef<string[]>([])
  useEffect(() => {
    latest.current = { onChange, text }
  })
  // Synchronous, so that no key is lost between the plain field and this one.
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const { text: begun } = latest.current
    const at = (place: number) => Math.min(place, begun.length)
    const { anchor = 0, head = 0 } = selected.current ?? {}
    const made = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: begun,
        selection: { anchor: at(anchor), head: at(head) },
        extensions: extensionsFor(label, begun.length, next => {
          announced.current.push(next)
          latest.current.onChange(next)
        }),
      }),
    })
    view.current = made
    if (selected.current) made.focus()
    return () => made.destroy()
  }, [label, selected])
  useEffect(() => {
    const now = view.current
    // Props echo reported texts, and more may have been typed since.
    const own = announced.current.lastIndexOf(text)
    announced.current.splice(0, own + 1)
    if (now === undefined || own >= 0 || now.state.doc.toString() === text) return
    now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: text } })
    announced.current = []
  }, [text])
  return <span ref={host} className={styles.host} />
}
