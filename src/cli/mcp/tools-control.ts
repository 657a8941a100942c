// Tools that change a running app: only with `--allow-control`.
import type { LiveCommand } from './live.ts'
import { valueText } from './output.ts'
import { type Call, defineTool, type Tool } from './tool.ts'

const APP = {
  type: 'string',
  required: true,
  about: 'The live app, as "recordings" names it: live:ID',
} as const

const send = defineTool({
  name: 'send',
  title: 'Send an event',
  about: 'Sends an event to an actor of a running app, as if the app had sent it.',
  isControl: true,
  fields: {
    app: APP,
    to: { type: 'string', about: 'Path of the actor; default the root' },
    event: {
      type: 'string',
      required: true,
      json: true,
      about: 'The event as JSON with its type: {"type":"retry"}',
    },
  },
  async run({ app, to = '', event }, call) {
    const sent = readObject(event, 'event', 'type') as Readonly<Record<string, unknown>> & {
      readonly type: string
    }
    return command(call, app, { do: 'send', to, event: sent })
  },
})

const pause = defineTool({
  name: 'pause',
  title: 'Pause, step, resume',
  about: 'Pauses a running app with its clock, lets one waiting event through, or resumes it.',
  isControl: true,
  fields: { app: APP, do: { type: 'string', oneOf: ['pause', 'step', 'resume'], about: 'Default pause' } },
  run: ({ app, do: what = 'pause' }, call) => command(call, app, { do: what }),
})

const faults = defineTool({
  name: 'faults',
  title: 'Inject faults',
  about: 'Injects a fault into a running app, such as no network, or clears faults.',
  isControl: true,
  fields: {
    app: APP,
    fault: {
      type: 'string',
      json: true,
      about:
        'The fault as JSON: {"kind":"offline"}, {"kind":"slow","delay":2000}, {"kind":"fail","times":1,"status":503}; kinds: offline, unreachable, slow, fail, expireToken, revoke, dropFrames, skewClock, storageFull',
    },
    clear: { type: 'string', about: 'Kind of the faults to end, or "all"' },
  },
  run({ app, fault, clear }, call) {
    if ((fault === undefined) === (clear === undefined)) throw new Error('Give either fault or clear.')
    if (fault === undefined)
      return command(call, app, {
        do: 'clear',
        ...(clear !== undefined && clear !== 'all' && { kind: clear }),
      })
    const read = readObject(fault, 'fault', 'kind') as Readonly<Record<string, unknown>> & {
      readonly kind: string
    }
    return command(call, app, { do: 'fault', fault: read })
  },
})

const clock = defineTool({
  name: 'clock',
  title: 'Change the clock',
  about: 'Changes the clock of a running app: its speed, the next deadline at once, or back to real time.',
  isControl: true,
  fields: {
    app: APP,
    do: {
      type: 'string',
      required: true,
      oneOf: ['speed', 'deadline', 'real-time'],
      about: 'deadline: fires the next timer now',
    },
    speed: { type: 'integer', about: 'With speed: a factor of real time; 0 stops the clock' },
  },
  run({ app, do: what, speed }, call) {
    if (what !== 'speed') return command(call, app, { do: what })
    if (speed === undefined) throw new Error('speed is missing: a factor of real time, 0 or more.')
    return command(call, app, { do: 'speed', speed })
  },
})

async function command({ session }: Call, app: string, what: LiveCommand) {
  const id = /^live:(.+)$/s.exec(app)?.[1]
  if (id === undefined)
    throw new Error('app must be a live app, named live:ID. The tool "recordings" lists those that run.')
  const answer = await session.live.command(id, what)
  return {
    head: ['Done.'],
    data: answer === undefined ? [] : [valueText(answer, 440)],
    next: ['Next: "events" with latest, for what followed.'],
  }
}

function readObject(text: string, what: string, key: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`${what} is no valid JSON.`)
  }
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    typeof Reflect.get(value, key) !== 'string'
  )
    throw new Error(`${what} must be a JSON object with a ${key}.`)
  return value as Readonly<Record<string, unknown>>
}

export const CONTROL_TOOLS: readonly Tool[] = [send, pause, faults, clock]
