// The backend under test in a separate process: it reports its memory, and simulates a full disk on command.
import { startBackend } from '../../backend/index.ts'
import { limitDisk } from '../../tests/harness/disk-limit.ts'

export type Command = 'fillDisk' | 'freeDisk' | 'addFaults' | 'clearFaults'
export type Report =
  | {
      readonly type: 'ready'
      readonly url: string
      readonly secretKey: string
      readonly publishableKey: string
      readonly databaseUrl: string
    }
  | { readonly type: 'memory'; readonly rss: number }

const MEMORY_MS = 500

const dir = process.argv[2] ?? ''
const report = (message: Report) => process.send?.(message)
process.on('disconnect', () => process.exit())
const disk = limitDisk(dir)
const { url, secretKey, publishableKey, databaseUrl, faults } = await startBackend({
  data: { dir },
  databaseAccess: {},
  auth: { passwordCost: 4 },
  realtime: { maxEventsPerSecond: 10_000, maxJoinsPerSecond: 10_000 },
})
const COMMANDS: Readonly<Record<Command, () => unknown>> = {
  fillDisk: () => disk.fill(() => true),
  freeDisk: () => disk.free(),
  addFaults: () =>
    faults.add({
      id: 'soak',
      when: { family: ['rest', 'storage', 'auth'], probability: 0.3 },
      do: { status: 503 },
    }),
  clearFaults: () => faults.clear(),
}
process.on('message', (command: Command) => COMMANDS[command]())
report({ type: 'ready', url, secretKey, publishableKey, databaseUrl: databaseUrl ?? '' })
setInterval(() => report({ type: 'memory', rss: process.memoryUsage().rss }), MEMORY_MS)
