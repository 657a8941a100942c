// The explanation of a step; of a file in a worker, the records that it needs are loaded one after the other.
import { useEffect, useMemo, useState } from 'react'
import {
  type Answer,
  explainSelected,
  type MachineChart,
  type StepRecord,
  type StepSource,
  type Timeline,
} from '../../../trace/index.ts'
import type { Details } from '../model/details.ts'
import { useConsole } from '../use-console.ts'

/** Thrown for a record that must be loaded first. */
class MissingRecord extends Error {
  override readonly name = 'MissingRecord'
  readonly seq: number

  constructor(seq: number) {
    super(`The record of step ${seq} is not loaded.`)
    this.seq = seq
  }
}

type Records = ReadonlyMap<number, StepRecord>

interface Explained {
  readonly timeline: Timeline
  readonly details: Pick<Details, 'peek'>
  readonly system: string
  readonly charts: Readonly<Record<string, MachineChart>>
  /** Loaded records. */
  readonly records: Records
}

/** What the timeline knows of a step; reading more of it throws `MissingRecord`. */
function outlineOf(timeline: Timeline, seq: number): StepRecord {
  const miss = (): never => {
    throw new MissingRecord(seq)
  }
  const event = new Proxy({ type: timeline.type(seq) } as StepRecord['event'], {
    get: (known, key) => (key === 'type' ? known.type : miss()),
  })
  const [by, from] = [timeline.by(seq), timeline.from(seq)]
  const { value } = timeline.state(seq)
  return {
    line: 'step',
    seq,
    t: timeline.t(seq),
    actor: timeline.actor(seq),
    event,
    cause: timeline.cause(seq),
    ...(by >= 0 && { by }),
    ...(from >= 0 && { from }),
    ...(value !== undefined && { value }),
    status: timeline.status(seq),
    changed: timeline.changed(seq),
    ...(timeline.via(seq).length > 0 && { via: timeline.via(seq) }),
    get context(): unknown {
      return miss()
    },
    get error(): unknown {
      return miss()
    },
  }
}

function sourceOf({ timeline, details, system, charts, records }: Explained): StepSource {
  return {
    header: { system, machines: charts },
    actors: timeline.actors,
    size: timeline.size,
    stepsOf: actor => timeline.stepsOf(actor),
    step: seq => {
      if (seq < 0 || seq >= timeline.size) return undefined
      return details.peek(seq) ?? records.get(seq) ?? outlineOf(timeline, seq)
    },
    stimulus: seq => timeline.stimulus(seq),
  }
}

/** The answer, or the number of the record that it needs next. */
export function explainNow(explained: Explained, seq: number): Answer | MissingRecord {
  try {
    return explainSelected(sourceOf(explained), seq)
  } catch (error) {
    if (error instanceof MissingRecord) return error
    throw error
  }
}

const NO_RECORDS: Records = new Map()

/** Undefined while records load, and if they cannot be loaded. */
export function useExplanation(seq: number): Answer | undefined {
  const { timeline, details, header, charts, size } = useConsole()
  const [loaded, setLoaded] = useState({ details, records: NO_RECORDS })
  const records = loaded.details === details ? loaded.records : NO_RECORDS
  const answer = useMemo(
    () =>
      seq < size ? explainNow({ timeline, details, system: header.system, charts, records }, seq) : undefined,
    [timeline, details, header.system, charts, records, seq, size],
  )
  const missing = answer instanceof MissingRecord ? answer.seq : undefined
  useEffect(() => {
    if (missing === undefined) return
    let isCurrent = true
    details.record(missing).then(
      record => isCurrent && setLoaded({ details, records: new Map(records).set(missing, record) }),
      // The sentence is left out, and the steps are shown.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [details, records, missing])
  return answer instanceof MissingRecord ? undefined : answer
}
