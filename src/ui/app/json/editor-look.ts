// What the code editors share: their look, and typing over a selection.
import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Colors and sizes of an editor. */
export const look = EditorView.theme({
  '&': {
    flex: '1 1 auto',
    color: 'var(--ink)',
    backgroundColor: 'var(--bg)',
    fontSize: '12px',
    maxHeight: '50vh',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    flex: '1 1 auto',
    fontFamily: 'var(--mono)',
    lineHeight: '1.5',
    minHeight: '160px',
    overflow: 'auto',
  },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': {
    alignSelf: 'stretch',
    height: 'auto',
    color: 'var(--ink-3)',
    backgroundColor: 'var(--surface)',
    borderRight: '1px solid var(--line-soft)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklab, var(--accent) 30%, transparent)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
})

export const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--fam-request)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: tags.number, color: 'var(--pending)' },
  { tag: [tags.bool, tags.null], color: 'var(--inject)' },
  { tag: tags.keyword, color: 'var(--fam-request)' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--fam-session)' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--ink-3)', fontStyle: 'italic' },
])

/**
 * The browser's selection, which the editor learns a moment later; only Chromium reports it for shadow trees
 * this way.
 */
function selectedIn(view: EditorView): { readonly from: number; readonly to: number } | undefined {
  const root: DocumentOrShadowRoot & Partial<Pick<Document, 'getSelection'>> = view.root
  const { anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed } = root.getSelection?.() ?? {}
  if (!anchorNode || !focusNode || isCollapsed) return undefined
  const ends = [view.posAtDOM(anchorNode, anchorOffset), view.posAtDOM(focusNode, focusOffset)]
  return { from: Math.min(...ends), to: Math.max(...ends) }
}

/**
 * Handles typing over a selection: Chromium would merge the lines itself and write highlight colors into
 * style attributes, which the page's CSP refuses with an error.
 */
export const typesOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const selected = selectedIn(view)
    if (event.inputType !== 'insertText' || event.isComposing || selected === undefined) return false
    const insert = event.data ?? ''
    view.dispatch({
      changes: { ...selected, insert },
      selection: { anchor: selected.from + insert.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    })
    event.preventDefault()
    return true
  },
})
