// Actions on a value in a tree, shared by its strip, its menu and the palette.
import { Braces, History, Link, Pin, PinOff, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { textOfPin } from '../model/pins.ts'
import { useConsole } from '../use-console.ts'
import { copyJson, copyText } from './clipboard.ts'
import type { TreeRow } from './tree-row.ts'
import { dotted, queryPath, quotedTerm } from './state-path.ts'

export interface ValueAction {
  readonly id: string
  readonly title: string
  readonly icon: ReactNode
  readonly run: () => void
}

const ICON = { size: 13, 'aria-hidden': true } as const

/** `pointer` is the row's place in the actor's state or in the event. */
export type ActionsOf = (row: TreeRow) => readonly ValueAction[]

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
