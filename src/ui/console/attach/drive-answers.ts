// Reads what the app's end of remote control sends: the control's state and the results of commands.
import type { Taken } from '../../../services/control/index.ts'
import { decodeValue, type Json } from '../../../trace/index.ts'
import { fields, isCount, isFields, isFlag, isNumber, isText, listOf, maybe, recordOf } from './checks.ts'
import type { DriveNews } from './drive-acts.ts'

/** An app may wait endlessly. */
const isAnyNumber = (value: unknown) => typeof value === 'number'
const isEvent = fields({ type: isText })
const isPlain = recordOf(value => typeof value !== 'object' || value === null)
const isStateValue = (value: unknown): boolean => isText(value) || recordOf(isStateValue)(value)

const isNews = fields({
  state: fields({
    hold: maybe(fields({ by: isText, breakpoint: maybe(isNumber), seq: maybe(isNumber), text: isText })),
    waiting: listOf(
      fields({ number: isNumber, kind: isText, to: isText, from: maybe(isText), event: isEvent }),
    ),
    stale: isCount,
    breakpoints: listOf(
      fields({
        id: isNumber,
        where: value => isFields(value) && isText(value['on']),
        isOn: isFlag,
        hits: isCount,
        from: isNumber,
        text: isText,
      }),
    ),
    faults: listOf(
      fields({
        id: isText,
        fault: value => isPlain(value) && fields({ kind: isText })(value),
        text: isText,
        hits: isCount,
      }),
    ),
    speed: isNumber,
    ahead: isNumber,
  }),
  actors: listOf(fields({ path: isText, kind: isText, src: isText, value: maybe(isStateValue) })),
  timers: listOf(
    fields({
      number: isNumber,
      actor: isText,
      to: isText,
      event: isEvent,
      delay: isAnyNumber,
      left: isAnyNumber,
      isDue: isFlag,
    }),
  ),
})

/** The control's state, if the text is one. */
export function readNews(text: string): DriveNews | undefined {
  const found = readValue(text)
  return found && isNews(found.value) ? (found.value as DriveNews) : undefined
}

const isTaken = (value: unknown): value is Taken =>
  fields({ outcome: outcome => outcome === 'there' })(value) ||
  fields({ outcome: outcome => outcome === 'stopped', at: isNumber, reason: isText })(value)

/** How a path run ended, if the value is such a result. */
export const takenOf = (value: unknown): Taken | undefined => (isTaken(value) ? value : undefined)

/** The value of a text of the codec, if it is one. */
export function readValue(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: decodeValue(JSON.parse(text) as Json) }
  } catch {
    return undefined
  }
}
