// Runs in a separate process: records runs of one example with random events, and writes their traces.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'
import { record } from '../../src/services/recording/record.ts'
import { hurry } from './quick.ts'
import { loadSubject } from './subject.ts'
import type { Subject } from './subject.ts'

const [folder = '', file = '', out = '', runs = '1', events = '1'] = process.argv.slice(2)
const { random } = createSeededEntropy(file.length)
const { setTimeout: later } = globalThis
const write = process.stdout.write.bind(process.stdout)
hurry(random)
const subject = await loadSubject(folder, file)
// Examples may throw outside of XState, as any app may.
process.on('uncaughtException', () => undefined)
process.on('unhandledRejection', () => undefined)
for (let at = 0; at < Number(runs); at++) await writeFile(join(out, `${at}.jsonl`), await run(subject))
write('recorded')
process.exit(0)

async function run({ logic, input, events: types, keys }: Subject): Promise<string> {
  const given = input ?? Object.fromEntries(keys.map(key => [key, someValue(key)]))
  const recording = record(logic, { system: 'example', input: given as never })
  recording.actor.subscribe({ error: () => undefined })
  recording.start()
  for (let at = 0; at < Number(events); at++) {
    const type = types[Math.floor(random() * types.length)]
    const event = Object.fromEntries(keys.map(key => [key, someValue(key)]))
    if (type !== undefined) recording.actor.send({ ...event, type } as never)
    if (random() < 0.6) await new Promise(resolve => later(resolve, random() * 12))
  }
  recording.stop()
  return recording.lines().join('\n')
}

function someValue(key: string): unknown {
  const values = /index|count|id$|amount|score|x$|y$|age|bpm/i.test(key)
    ? [0, 1, 2, 7]
    : ['', 'a', 'Ann', 3, true, [], { name: 'Ann', id: 1 }, null]
  return values[Math.floor(random() * values.length)]
}
