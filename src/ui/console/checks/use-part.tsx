// The part of the trace to use: everything, the shown time range, or the query's matches.
import { useState } from 'react'
import { Select } from '../../widgets/select.tsx'
import { clockTime, plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import type { Part } from './jobs.ts'

export type PartKind = Part['kind']

/** Returns the choice and its part. Choices equal to the whole trace are not offered. */
export function usePart() {
  const { place, filter, size } = useConsole()
  const [chosen, choose] = useState<PartKind>('all')
  const { range } = place
  const options: readonly { readonly id: PartKind; readonly label: string }[] = [
    { id: 'all', label: `Everything, ${plural(size, 'event')}` },
    ...(range
      ? [{ id: 'range', label: `Selected range, ${clockTime(range[0])} to ${clockTime(range[1])}` } as const]
      : []),
    ...(filter.filtering
      ? [{ id: 'steps', label: `Query matches, ${plural(filter.length, 'event')}` } as const]
      : []),
  ]
  const kind = options.some(({ id }) => id === chosen) ? chosen : 'all'
  const get = (): Part => {
    if (kind === 'range' && range) return { kind, from: range[0], until: range[1] }
    if (kind !== 'steps') return { kind: 'all' }
    return { kind, seqs: Uint32Array.from({ length: filter.length }, (_, at) => filter.seqAt(at)) }
  }
  return { options, kind, choose, get }
}

/** Renders nothing if there is only one choice. */
export function PartChoice({ part }: { readonly part: ReturnType<typeof usePart> }) {
  if (part.options.length < 2) return null
  return <Select label="Scope" options={part.options} value={part.kind} onChange={part.choose} />
}
