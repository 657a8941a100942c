// The editor of a SQL script, in its own shadow root: CodeMirror's styles then become style sheets that a strict CSP
// allows.
import { autocompletion, closeCompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { PostgreSQL, sql, type SQLNamespace } from '@codemirror/lang-sql'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, Prec, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
  tooltips,
} from '@codemirror/view'
import { type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import type { SqlPart } from '../../../services/workbench/sql/index.ts'
import { colors, look, typesOver } from '../json/editor-look.ts'
import styles from './sql.module.css'

/** Offsets in the script, in UTF-16 units. */
export interface Marked {
  readonly from: number
  readonly to: number
}

export interface SqlEditorHandle {
  /** What is selected; else the whole script. Closes the list of completions. */
  readonly part: () => SqlPart
  /** Selects a place and focuses the editor. */
  readonly show: (place: Marked) => void
}

export interface SqlEditorProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Names for completion, by schema and table. */
  readonly names: SQLNamespace
  /** Where the last error is. */
  readonly mark: Marked | undefined
  readonly handle: RefObject<SqlEditorHandle | null>
}

const setMark = StateEffect.define<Marked | undefined>()
const underline = Decoration.mark({ class: 'cm-sql-error' })

/** The mark of an error moves with the text, and goes when its text is changed. */
const markField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    const next = marks.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (!effect.is(setMark)) continue
      const { from = 0, to = 0 } = effect.value ?? {}
      const end = Math.min(to, transaction.newDoc.length)
      return from < end ? Decoration.set([underline.range(from, end)]) : Decoration.none
    }
    return next
  },
  provide: field => EditorView.decorations.from(field),
})

const sqlLook = EditorView.theme({
  '&': { maxHeight: 'none', height: '100%' },
  '.cm-scroller': { minHeight: '0' },
  '.cm-placeholder': { color: 'var(--ink-3)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-sql-error': {
    textDecoration: 'underline wavy var(--fail) 1px',
    textUnderlineOffset: '3px',
    backgroundColor: 'color-mix(in oklab, var(--fail) 12%, transparent)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '7px',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': { color: 'var(--ink-2)', fontStyle: 'normal' },
})

const language = new Compartment()
const languageFor = (names: SQLNamespace) =>
  sql({ dialect: PostgreSQL, schema: names, defaultSchema: 'public' })

/** Beyond this length, highlighting costs too much. */
const MOST_COLORED = 300_000

const extensionsFor = (names: SQLNamespace, length: number, onText: (text: string) => void) => [
  history(),
  drawSelection(),
  indentOnInput(),
  // Mod+Enter runs the script, and Tab moves the focus, except to accept a completion.
  Prec.high(keymap.of(completionKeymap)),
  keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap]),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': 'SQL script', spellcheck: 'false' }),
  EditorView.updateListener.of(update => {
    if (update.docChanged) onText(update.state.doc.toString())
  }),
  placeholder('select * from …'),
  tooltips({ position: 'fixed' }),
  typesOver,
  markField,
  look,
  sqlLook,
  lineNumbers(),
  highlightActiveLineGutter(),
  ...(length > MOST_COLORED
    ? []
    : [
        language.of(languageFor(names)),
        autocompletion({ icons: false }),
        bracketMatching(),
        syntaxHighlighting(colors),
      ]),
]

/** The text may also change from outside. */
export function SqlEditor({ text, onChange, names, mark, handle }: SqlEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef({ onChange, text, names })
  useEffect(() => {
    latest.current = { onChange, text, names }
  })
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const { text: initial, names: initialNames } = latest.current
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: initial,
        selection: { anchor: initial.length },
        extensions: extensionsFor(initialNames, initial.length, next => latest.current.onChange(next)),
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [])
  useEffect(() => {
    const editor = view.current
    // What is typed comes back as the same text.
    if (editor === undefined || editor.state.doc.toString() === text) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } })
  }, [text])
  useEffect(() => view.current?.dispatch({ effects: language.reconfigure(languageFor(names)) }), [names])
  useEffect(() => view.current?.dispatch({ effects: setMark.of(mark) }), [mark])
  useImperativeHandle(
    handle,
    () => ({
      part() {
        if (view.current) closeCompletion(view.current)
        return partOf(view.current?.state)
      },
      show({ from, to }) {
        const editor = view.current
        if (!editor) return
        const end = editor.state.doc.length
        editor.dispatch({
          selection: { anchor: Math.min(from, end), head: Math.min(to, end) },
          scrollIntoView: true,
        })
        editor.focus()
      },
    }),
    [],
  )
  return <div ref={host} className={styles.editorHost} />
}

function partOf(state: EditorState | undefined): SqlPart {
  if (!state) return { sql: '', offset: 0 }
  const { from, to, empty } = state.selection.main
  return empty ? { sql: state.doc.toString(), offset: 0 } : { sql: state.sliceDoc(from, to), offset: from }
}
