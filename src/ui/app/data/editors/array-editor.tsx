// Array editor: an ordered list with a field per element, each of which may be null.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../../widgets/button.tsx'
import { type Element, readArrayText, writeArrayText } from '../../../../services/workbench/table/index.ts'
import type { CellEditorProps } from '../grid/grid-types.ts'
import { focusNow } from '../../hooks.ts'
import { EditorPopover, usePopoverDraft } from './editor-popover.tsx'
import styles from './editors.module.css'

interface ElementsProps {
  readonly name: string
  readonly elements: readonly Element[]
  readonly onChange: (elements: readonly Element[]) => void
}

const swapped = (elements: readonly Element[], at: number): readonly Element[] =>
  elements.map((element, n) => {
    if (n === at) return elements[at - 1] ?? null
    return n === at - 1 ? (elements[at] ?? null) : element
  })

function Elements({ name, elements, onChange }: ElementsProps) {
  const put = (at: number, element: Element) =>
    onChange(elements.map((each, n) => (n === at ? element : each)))
  return (
    <div className={styles.items}>
      {elements.map((element, at) => (
        <div key={at} className={styles.item}>
          <span className={styles.index}>{at + 1}</span>
          <input
            className={styles.field}
            aria-label={`${name} ${at + 1}`}
            dir="auto"
            value={element ?? ''}
            placeholder={element === null ? 'null' : 'empty'}
            onChange={event => put(at, event.target.value)}
          />
          <Button size="s" variant="quiet" isDisabled={element === null} onPress={() => put(at, null)}>
            null
          </Button>
          <IconButton
            size="s"
            label={`Move ${at + 1} up`}
            isDisabled={at === 0}
            onPress={() => onChange(swapped(elements, at))}
          >
            <ArrowUp size={13} />
          </IconButton>
          <IconButton
            size="s"
            label={`Move ${at + 1} down`}
            isDisabled={at === elements.length - 1}
            onPress={() => onChange(swapped(elements, at + 1))}
          >
            <ArrowDown size={13} />
          </IconButton>
          <IconButton
            size="s"
            label={`Remove ${at + 1}`}
            onPress={() => onChange(elements.filter((_, n) => n !== at))}
          >
            <Trash2 size={13} />
          </IconButton>
        </div>
      ))}
    </div>
  )
}

/** Nested arrays, those with another delimiter, and invalid arrays are edited as PostgreSQL array literals. */
export function ArrayEditor(props: CellEditorProps) {
  const { column } = props
  const { text, setText, frame } = usePopoverDraft(props)
  const elements = readArrayText(text === '' ? '{}' : text, column.format)
  const [isText, setIsText] = useState(elements === undefined)
  const isList = !isText && elements !== undefined
  return (
    <EditorPopover
      frame={frame}
      isWide
      actions={
        <>
          {isList ? (
            <Button
              size="s"
              icon={<Plus size={13} aria-hidden />}
              onPress={() => setText(writeArrayText([...elements, '']))}
            >
              Add
            </Button>
          ) : null}
          <Button
            size="s"
            variant="quiet"
            isDisabled={elements === undefined}
            onPress={() => setIsText(!isText)}
          >
            {isList ? 'Edit as text' : 'Edit as list'}
          </Button>
        </>
      }
    >
      {isList ? (
        <Elements name={column.name} elements={elements} onChange={next => setText(writeArrayText(next))} />
      ) : (
        <textarea
          ref={focusNow}
          className={`${styles.area} ${styles.code}`}
          aria-label={column.name}
          spellCheck={false}
          value={text}
          onChange={event => setText(event.target.value)}
        />
      )}
    </EditorPopover>
  )
}
