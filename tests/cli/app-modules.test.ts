// `--machines` with the modules of an app: loaded as its own tools do, with errors that name file, line and cause.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { AnyStateMachine } from 'xstate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadModule } from '../../src/cli/module-file.ts'
import { replayCommand } from '../../src/cli/replay.ts'
import { record } from '../../src/services/recording/index.ts'
import { ran } from '../harness/command.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

const REPOSITORY = join(import.meta.dirname, '../..')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'chartroom-app-')))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

const APP = {
  'vite.config.ts': `import { fileURLToPath } from 'node:url'
    export default { resolve: { alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) } } }`,
  'tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx", "paths": { "@lib/*": ["./src/lib/*"] } } }',
  'package.json': '{ "type": "module" }',
  'src/lib/limit.ts': 'export enum Limit { Least = 1, Most = 3 }',
  'src/start.json': '{ "n": 1 }',
  'src/app.css': '.a { color: red }',
  'src/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'src/counter.ts': `import { assign, createMachine } from 'xstate'
    import { Limit } from '~/lib/limit'
    import { Limit as Same } from '@lib/limit'
    import start from './start.json'
    export const counterMachine = createMachine({
      id: 'counter',
      context: { n: start.n, least: Same.Least },
      on: { inc: { guard: ({ context }) => context.n < Limit.Most, actions: assign({ n: ({ context }) => context.n + 1 }) } },
    })`,
  'src/app.tsx': `import { createActorContext, useMachine } from '@xstate/react'
    import { counterMachine } from './counter'
    import logo from './logo.svg'
    import './app.css'
    export { counterMachine }
    export const CounterContext = createActorContext(counterMachine)
    export function App() {
      const [{ context }, send] = useMachine(counterMachine)
      return <button onClick={() => send({ type: 'inc' })}><img src={logo} />{context.n} {import.meta.env.MODE}</button>
    }`,
  'src/inside.tsx': `import { createMachine } from 'xstate'
    import { createActorContext, useMachine } from '@xstate/react'
    import { counterMachine } from './counter'
    export const CounterContext = createActorContext(counterMachine)
    export function Lamp() { return <i>{String(useMachine(createMachine({}))[0].value)}</i> }
    export const size = 3`,
  'src/missing.ts': "import { x } from './nowhere'\nexport const y = x",
  'src/absent.ts': "import { x } from 'absent-package'\nexport const y = x",
  'src/broken.ts': 'export const a = 1\nexport const b = [1,, }\nexport const c = 2\n',
  'src/page.tsx': "import './render'\nexport {}",
  'src/render.tsx':
    "export {}\ntype Root = { id: string }\nexport const root = document.getElementById('root')",
  'src/throws.ts': "interface Named { a: 1 }\nexport const one: number = 1\nthrow new Error('no harbor')",
}

const PACKAGES = ['vite', 'xstate', 'react', 'react-dom', '@xstate']

beforeAll(() => {
  for (const [name, text] of Object.entries(APP))
    for (const place of ['app', 'plain']) {
      mkdirSync(dirname(at(`${place}/${name}`)), { recursive: true })
      writeFileSync(at(`${place}/${name}`), text)
    }
  mkdirSync(at('app/node_modules'))
  for (const name of PACKAGES)
    symlinkSync(join(REPOSITORY, 'node_modules', name), at(`app/node_modules/${name}`))
})

async function written(): Promise<string> {
  const { counterMachine } = await loadModule('--machines', at('app/src/counter.ts'))
  const recording = record(counterMachine as AnyStateMachine, { clock: createVirtualClock() })
  recording.start()
  for (let n = 0; n < 4; n++) recording.actor.send({ type: 'inc' })
  recording.stop()
  writeFileSync(at('counter.jsonl'), `${recording.lines().join('\n')}\n`)
  return at('counter.jsonl')
}

/** The names of a module's exports or the error, as a separate process prints them. */
async function loadedAlone(file: string): Promise<string> {
  const load = new URL('../../src/cli/module-file.ts', import.meta.url)
  const script = `import { loadModule } from ${JSON.stringify(load.href)}
    const loaded = loadModule('--machines', ${JSON.stringify(file)})
    console.log(await loaded.then(module => Object.keys(module).join(), error => error.message))`
  const args = ['--no-warnings', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 })
  return stdout.trim()
}

describe('with the Vite of the app', () => {
  test('a component replays: JSX, enums, aliases, and imports without ending, of JSON, styles and images', async () => {
    const { code, out, err } = await ran(replayCommand, await written(), '--machines', at('app/src/app.tsx'))
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('EXACT')
  })

  test('the process ends without a signal', async () => {
    expect((await loadedAlone(at('app/src/app.tsx'))).split(',').sort()).toEqual([
      'App',
      'CounterContext',
      'counterMachine',
    ])
  }, 90_000)

  test.each([
    ['missing.ts', './nowhere', 'missing.ts'],
    ['absent.ts', 'absent-package', 'absent.ts'],
    ['broken.ts', 'PARSE_ERROR', 'broken.ts:2'],
    ['page.tsx', 'document is not defined', 'render.tsx:3'],
    ['throws.ts', 'no harbor', 'throws.ts:3'],
  ])('%s: the error names the cause and the place', async (name, cause, place) => {
    const loaded = loadModule('--machines', at(`app/src/${name}`))
    await expect(loaded).rejects.toThrow(`--machines ${at(`app/src/${name}`)} can't be loaded: `)
    await expect(loaded).rejects.toThrow(cause)
    await expect(loaded).rejects.toThrow(place)
  })

  test('machines of components and contexts are explained', async () => {
    const { code, err } = await ran(replayCommand, await written(), '--machines', at('app/src/inside.tsx'))
    expect(code).toBe(2)
    expect(err).toContain('exports no machine')
    expect(err).toMatch(/A context of createActorContext does not give its machine \(CounterContext\)/)
    expect(err).toMatch(/made inside of a component or hook.*cannot be found \(Lamp\)/)
  })
})

test.each([
  ['lib/limit.ts', 'enum', 'limit.ts:1'],
  ['app.tsx', 'Unknown file extension ".tsx"', 'app.tsx'],
  ['missing.ts', 'nowhere', 'missing.ts'],
])(
  'without Vite, Node loads the module; %s: the error says what is missing and what to do',
  async (name, cause, place) => {
    const message = await loadedAlone(at(`plain/src/${name}`))
    for (const part of [cause, place, 'no Vite is installed above it', 'npm install --save-dev vite'])
      expect(message).toContain(part)
  },
  90_000,
)
