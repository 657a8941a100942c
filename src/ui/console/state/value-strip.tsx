// The strip below a tree: the selected row in full, its previous value, and its actions.
import { useState, useMemo, type ReactNode } from 'react'
import { IconButton } from '../../widgets/button.tsx'
import { count } from '../text.ts'
import { describe, quoted, TEXT_SHOWN } from './json-nodes.ts'
import type { TreeRow } from './tree-row.ts'
import { dotted, queryPath, quotedTerm } from './state-path.ts'
import styles from './strip.module.css'
import { Highlighted } from './value-row.tsx'
import { Braces, History, Link, Pin, PinOff, Search } from 'lucide-react'
import { textOfPin } from '../model/place.ts'
import { useConsole } from '../use-console.ts'
import { copyJson, copyText } from './clipboard.ts'

export interface ValueStripProps {
  readonly row: TreeRow
  readonly actions: readonly ValueAction[]
  readonly wanted: string
}

export function ValueStrip({ row, actions, wanted }: ValueStripProps) {
  const [isWhole, setWhole] = useState(false)
  const { value, change, before, pointer } = row
  const isLong = typeof value === 'string' && value.length > 40
  const isCut = typeof value === 'string' && value.length > TEXT_SHOWN
  return (
    <section className={styles.strip} aria-label="Selected value">
      <div className={styles.line}>
        <span className={styles.path} title={dotted(pointer)}>
          <bdi>{dotted(pointer)}</bdi>
        </span>
        {actions.map(({ id, title, icon, run }) => (
          <IconButton key={id} size="s" label={title} onPress={run}>
            {icon}
          </IconButton>
        ))}
      </div>
      {change === 'changed' ? (
        <p className={styles.before}>
          was <span className={styles.old}>{briefly(before, row.node.kind === 'word')}</span>
        </p>
      ) : null}
      {isLong && (isWhole || !isCut) ? <LongText text={value} wanted={wanted} /> : null}
      {isCut ? (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `Show all ${count(value.length)} characters`}
        </button>
      ) : null}
    </section>
  )
}

const briefly = (value: unknown, isName: boolean): string =>
  typeof value === 'string' ? (isName ? value : quoted(value, 120)) : describe(value).preview

const BLOCK = 8_000

/** A text of any length in full, in blocks, of which the browser lays out only visible ones. */
function LongText({ text, wanted = '' }: { readonly text: string; readonly wanted?: string }) {
  const blocks = useMemo(() => blocksOf(text), [text])
  return (
    <div
      role="textbox"
      aria-readonly
      aria-multiline
      aria-label="Whole text"
      tabIndex={0}
      className={styles.text}
    >
      {blocks.map(({ from, part }) => (
        <div key={from} className={styles.block}>
          <Highlighted text={part} wanted={wanted} />
        </div>
      ))}
    </div>
  )
}

/** Cuts at the end of a line or word, if possible. */
function blocksOf(text: string): readonly { readonly from: number; readonly part: string }[] {
  const blocks: { readonly from: number; readonly part: string }[] = []
  for (let from = 0; from < text.length;) {
    const most = Math.min(text.length, from + BLOCK)
    const window = text.slice(from, most)
    const end = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' ')) + 1
    const to = most === text.length || end < BLOCK / 2 ? most : from + end
    blocks.push({ from, part: text.slice(from, to) })
    from = to
  }
  return blocks
}

export interface ValueAction {
  readonly id: string
  readonly title: string
  readonly icon: ReactNode
  readonly run: () => void
}

const ICON = { size: 13, 'aria-hidden': true } as const

/** `pointer` is the row's place in the actor's state or in the event. */
type ActionsOf = (row: TreeRow) => readonly ValueAction[]

export interface ActionOptions {
  /** The actor whose state is shown; undefined for values without a history. */
  readonly actor?: string | undefined
  readonly onWhen?: (pointer: string) => void
}

/** Returns the actions of a row. */
export function useValueActions({ actor, onWhen }: ActionOptions): ActionsOf {
  const { place, go } = useConsole()
  return row => {
    const { pointer, value, node } = row
    const path = queryPath(pointer)
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
    const isFollowed = actor !== undefined && row.change !== 'removed' && /^\/(state$|context)/.test(pointer)
    const pin = isFollowed ? textOfPin({ actor, path: pointer }) : ''
    const isPinned = place.pins.includes(pin)
    const query = (term: string) => go({ type: 'query', query: `${place.query} ${term}`.trim() })
    return [
      {
        id: 'copy',
        title: 'Copy as JSON',
        icon: <Braces {...ICON} />,
        run: () => copyJson(value, dotted(pointer)),
      },
      {
        id: 'path',
        title: 'Copy path',
        icon: <Link {...ICON} />,
        run: () => copyText(path ?? dotted(pointer), 'Path'),
      },
      ...(isFollowed
        ? [
            {
              id: 'when',
              title: 'Show history',
              icon: <History {...ICON} />,
              run: () => onWhen?.(pointer),
            },
            {
              id: 'pin',
              title: isPinned ? 'Unpin' : 'Pin',
              icon: isPinned ? <PinOff {...ICON} /> : <Pin {...ICON} />,
              run: () => go({ type: 'pin', pin, isPinned: !isPinned }),
            },
          ]
        : []),
      ...(path !== undefined && text !== undefined && node.kind !== 'secret' && text.length <= 200
        ? [
            {
              id: 'query',
              title: 'Find this value over time',
              icon: <Search {...ICON} />,
              run: () => query(`${path}=${quotedTerm(text)}`),
            },
          ]
        : []),
    ]
  }
}
