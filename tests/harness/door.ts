// A small app with a bug, its machines in a file as an app has them, and recordings of it.
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { record } from '../../src/services/recording/index.ts'
import { atFileEnd } from './endings.ts'
import { door } from './door-machine.ts'

const MACHINE = fileURLToPath(new URL('./door-machine.ts', import.meta.url))

/** The folder of an app with `door-machine.ts` and the recording `door.trace.gz`, until the file ends. */
export async function doorApp(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'chartroom-mcp-')))
  atFileEnd(() => rm(folder, { recursive: true, force: true }))
  await cp(MACHINE, join(folder, 'door-machine.ts'))
  await symlinkPackage(folder)
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'door.trace.gz'), await doorFile())
  return folder
}

/** Only XState: with Vite, loading takes seconds. */
async function symlinkPackage(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'))
  await symlink(
    fileURLToPath(new URL('../../node_modules/xstate', import.meta.url)),
    join(folder, 'node_modules/xstate'),
  )
}

/** A recording in which the door breaks: it is forced twice between other events. */
export function doorFile(note = 'someone pushed'): Promise<Uint8Array> {
  const recording = record(door, { system: 'door' })
  recording.start()
  const send = (type: string, more: object = {}) => recording.actor.send({ type, ...more } as never)
  for (let n = 0; n < 3; n++) {
    send('open')
    send('knock', { note })
    send('close')
  }
  send('lock')
  send('force')
  send('knock')
  send('force')
  recording.stop()
  return recording.file()
}
