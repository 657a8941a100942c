// Columns of a log: raw records are appended and converted to plain data once, on first read.
import type { StateValue, StepOutput, StepRecord } from '../../trace/index.ts'
import type { ActorRecord } from './actor-record.ts'
import { KeptEvents } from './kept-event.ts'
import { type RawStep, senderOf } from './plain-records.ts'
import { Rows } from './rows.ts'
import type { Ending, LiveStep } from './step.ts'
import type { TransitionsTaken } from './transitions-taken.ts'

export interface Column<Raw, Plain> {
  append(this: void, raw: Raw): void
  /** Makes appended records readable. */
  settle(this: void): void
  /** Returns all settled records. With `most`, converts at most that many more. */
  read(this: void, most?: number): readonly Plain[]
  isRead(this: void): boolean
  /** Number of settled records. */
  size(this: void): number
}

/** Stores raw records as they are. */
export function createColumn<Raw, Plain>(toPlain: (raw: Raw) => Plain): Column<Raw, Plain> {
  const raws: (Raw | undefined)[] = []
  const take = (at: number) => {
    const raw = raws[at] as Raw
    raws[at] = undefined
    return raw
  }
  return columnOf(
    raw => raws.push(raw),
    at => toPlain(take(at)),
  )
}

/** `append` returns the number of records. `take` is called once per record, in order. */
function columnOf<Raw, Plain>(append: (raw: Raw) => number, take: (at: number) => Plain): Column<Raw, Plain> {
  const plain: Plain[] = []
  let length = 0
  let settled = 0
  return {
    append: raw => void (length = append(raw)),
    settle: () => void (settled = length),
    read(most = Number.POSITIVE_INFINITY) {
      const end = Math.min(settled, plain.length + most)
      while (plain.length < end) plain.push(take(plain.length))
      return plain
    },
    isRead: () => plain.length === settled,
    size: () => settled,
  }
}

const STATUSES = ['active', 'done', 'error', 'stopped'] as const

/** Steps, by far the most numerous records. */
export function createStepColumn(toPlain: (raw: RawStep) => StepRecord): Column<LiveStep, StepRecord> {
  const rows = new Rows(8, 5)
  const events = new KeptEvents()
  let length = 0
  const append = (step: LiveStep) => {
    const { refs, numbers } = rows.begin()
    const [ref, number] = [rows.at * 8, rows.at * 5]
    refs[ref] = step.actor
    refs[ref + 1] = step.from
    refs[ref + 2] = events.put(step.event)
    refs[ref + 3] = step.value
    refs[ref + 4] = step.context
    refs[ref + 5] = step.ending
    refs[ref + 6] = step.taken
    refs[ref + 7] = step.outputs
    numbers[number] = step.t
    numbers[number + 1] = step.seq
    numbers[number + 2] = step.cause
    numbers[number + 3] = senderOf(step)
    numbers[number + 4] = STATUSES.indexOf(step.status) * 2 + (step.changed ? 1 : 0)
    return ++length
  }
  const take = () => {
    const { refs, numbers } = rows.take() ?? NOTHING
    const { at } = rows
    const [actor, from, event, value, context, ending, taken, outputs] = refs.slice(at * 8, at * 8 + 8)
    const [t = 0, seq = 0, cause = 0, by = 0, flags = 0] = numbers.subarray(at * 5, at * 5 + 5)
    return toPlain({
      actor: actor as ActorRecord,
      from: from as ActorRecord | undefined,
      event: events.take(event),
      value: value as StateValue | undefined,
      context,
      ending: ending as Ending | undefined,
      taken: taken as TransitionsTaken | undefined,
      outputs: outputs as readonly StepOutput[] | undefined,
      t,
      seq,
      cause,
      by,
      status: STATUSES[flags >> 1] ?? 'active',
      changed: flags % 2 === 1,
    })
  }
  return columnOf(append, take)
}

const NOTHING = { refs: [], numbers: new Float64Array(0) }
