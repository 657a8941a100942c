// The console's state: which trace, which moment, which actor, which filter; and the commands on them.
import { useCallback, useDeferredValue, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { MachineChart, ViewRecord } from '../../trace/format.ts'
import type { ConsoleRecording } from './console-recording.ts'
import { moveCursor, select } from './cursor.ts'
import type { Command } from './keys.ts'
import { useFile } from './use-file.ts'
import { useRecording } from './use-recording.ts'
import { useTrace } from './use-trace.ts'

/** Everything the console's views share. */
export function useConsole(
  recording: ConsoleRecording,
  machines: Readonly<Record<string, MachineChart>> | undefined,
) {
  const [cursor, move] = useReducer(moveCursor, {})
  const [query, setQuery] = useState('')
  const [fitAsked, fit] = useReducer((count: number) => count + 1, 0)
  const [help, setHelp] = useState(false)
  const filterRef = useRef<HTMLInputElement>(null)
  const live = useRecording(recording)
  const file = useFile(useCallback(() => move({ type: 'reset' }), []))
  const source = file.opened?.source ?? live.trace
  const followed = useTrace(source, useDeferredValue(query))
  const { index, filter, size } = followed
  const selection = useMemo(() => select(cursor, index, size), [cursor, index, size])
  // Of another app machines come to be known one after the other.
  const known = source.header.machines
  const charts = useMemo(() => ({ ...machines, ...known }), [machines, known])

  const pick = useCallback(
    (view: ViewRecord) => move({ type: 'record', seq: view.seq, actor: view.actor }),
    [],
  )
  const pickSeq = (seq: number) => {
    const view = source.views[seq]
    if (view) pick(view)
  }
  const step = (by: 1 | -1) => pickSeq(filter.step(selection.at, by))
  const commands: Readonly<Record<Command, () => void>> = {
    next: () => step(1),
    previous: () => step(-1),
    nextOfActor: () => pickSeq(index.nextOf(selection.actor, selection.at)),
    previousOfActor: () =>
      pickSeq(selection.seq < selection.at ? selection.seq : index.previous(selection.seq)),
    cause: () => pickSeq(selection.record?.by ?? -1),
    effect: () => pickSeq(index.effects(selection.seq)[0] ?? -1),
    first: () => pickSeq(filter.seqAt(0)),
    end: () => move({ type: 'end' }),
    fit,
    filter: () => filterRef.current?.focus(),
    help: () => setHelp(true),
  }
  const latest = useRef(commands)
  useLayoutEffect(() => {
    latest.current = commands
  })
  return {
    live,
    file,
    followed,
    selection,
    charts,
    query,
    setQuery,
    filterRef,
    fitAsked,
    help,
    pick,
    pickActor: useCallback((actor: number) => move({ type: 'actor', actor }), []),
    clearFilter: useCallback(() => setQuery(''), []),
    closeHelp: useCallback(() => setHelp(false), []),
    /** Carries out a command; the same function in every render. */
    run: useCallback((command: Command) => latest.current[command](), []),
  }
}

export type ConsoleModel = ReturnType<typeof useConsole>
