// The console's views at the current place; each rerenders only when its content changes.
import { useDeferredValue, useMemo, type ReactNode } from 'react'
import { Center } from './center/center.tsx'
import { CenterTabs } from './center/center-tabs.tsx'
import { Guarded } from './layout/guarded.tsx'
import { DeferredConsole } from './layout/deferred-console.tsx'
import { Log } from './log/log.tsx'
import type { Big } from './model/frame-layout.ts'
import { Inspector } from './state/inspector.tsx'
import { ActorTree } from './tree/actor-tree.tsx'
import type { ConsoleModel } from './use-console-model.ts'
import { usePaced } from './use-paced.ts'

/** How often all views except the log update while following the end: appears live and stays cheap. */
const PACE_MS = 100

export type Views = Readonly<Record<Big, ReactNode>>

/**
 * `upper` are all views except the log: while the log is below them, a step renders it first and the others
 * later.
 */
export function useViews(
  model: ConsoleModel,
  drive: ReactNode,
): { readonly upper: Views; readonly all: Views } {
  const { followed, charts } = model
  const { timeline } = followed.trace
  // Deferred, so that the log responds immediately to a held key and the rest follows.
  const paced = useDeferredValue(usePaced(model.selection, PACE_MS, model.selection.following))
  // A delayed selection of another trace would be invalid.
  const selection = paced.timeline === timeline ? paced : model.selection
  const { actor, seq } = selection
  const { fitAsked, pick } = model
  const chart = useMemo(
    () => (
      <DeferredConsole>
        <Center actor={actor} seq={seq} charts={charts} fitAsked={fitAsked} />
      </DeferredConsole>
    ),
    [actor, seq, charts, fitAsked],
  )
  const event = useMemo(
    () => (
      <DeferredConsole>
        <Inspector seq={seq} onSelect={pick} />
      </DeferredConsole>
    ),
    [seq, pick],
  )
  const { pickActor } = model
  const upper = useMemo(
    (): Views => ({
      tree: (
        <Guarded name="actor tree">
          <ActorTree timeline={timeline} selection={selection} charts={charts} onSelect={pickActor} />
        </Guarded>
      ),
      center: (
        <Guarded name="view">
          <CenterTabs chart={chart} />
        </Guarded>
      ),
      event: <Guarded name="selected event">{event}</Guarded>,
      log: null,
      drive,
    }),
    [timeline, selection, charts, pickActor, chart, event, drive],
  )
  const { place, run, go } = model
  const { grouped } = place.layout
  const { selection: current } = model
  const log = useMemo(
    () => (
      <Guarded name="log">
        <Log
          followed={followed}
          selection={current}
          onSelect={pick}
          isGrouped={grouped}
          onCommand={run}
          go={go}
        />
      </Guarded>
    ),
    [followed, current, pick, grouped, run, go],
  )
  return useMemo(() => ({ upper, all: { ...upper, log } }), [upper, log])
}
