// The examples, and how each is tested after it is installed.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../src/cli/start/free-port.ts'
import { runIn } from '../matrix/installers.ts'
import { driveLink, drivePage, openNotes } from './page-drive.ts'
import { startServer } from './process.ts'
import { type Example, PATIENCE, type Trial } from './trial.ts'

export const examples: readonly Example[] = [
  {
    name: 'node',
    packages: ['typescript'],
    async run({ step, script }) {
      await step('signs in, reads, follows a channel and ends', async () => {
        const text = await script('start')
        for (const part of [/signed in: ada@example\.com/, /notes: .*Buy rope/, /INSERT: Written at/])
          if (!part.test(text)) throw new Error(`it did not print ${part.source}`)
      })
      await step('its recording replays', () => expectExact(script))
    },
  },
  {
    name: 'xstate',
    packages: ['xstate', 'vitest'],
    async run({ step, script }) {
      await step('records', async () => void (await script('start')))
      await step('replays', () => expectExact(script))
      await step('tests', async () => void (await script('test')))
    },
  },
  {
    name: 'react',
    packages: ['react', 'vite'],
    async run(trial) {
      await buildAndDrive(trial, { isRendered: false })
      await trial.step('no recorder in the build', () => expectNone(trial, 'dist/assets', /keyframe/))
      await trial.step('console in development', () =>
        withServer(trial, 'dev', async url => {
          const notes = await openNotes(trial, url)
          await notes.signIn()
          const console = notes.page.getByRole('region', { name: 'Console' })
          await console.getByRole('treegrid', { name: 'Event log' }).waitFor()
          await console
            .getByText(/^authenticated/)
            .first()
            .waitFor()
          await notes.close()
        }),
      )
    },
  },
  {
    name: 'vue',
    packages: ['vue', 'vite'],
    run: trial => buildAndDrive(trial, { isRendered: false }),
  },
  {
    name: 'next',
    packages: ['next', 'react'],
    run: trial => buildAndDrive(trial, { isRendered: true }),
  },
  {
    name: 'sveltekit',
    packages: ['@sveltejs/kit', 'svelte'],
    run: trial => buildAndDrive(trial, { isRendered: true }),
  },
  {
    name: 'playwright',
    packages: ['@playwright/test', 'vite'],
    async run(trial) {
      await trial.step('tests', async () => void (await trial.script('test', await playwrightEnv(trial))))
      await trial.step('trace of a failed test replays', () => expectTraceOfFailure(trial))
    },
  },
]

/** The browser of this machine, and free ports for the servers that the tests start. */
async function playwrightEnv({ chromium }: Trial): Promise<Record<string, string>> {
  const port = await freePort(4_600)
  return {
    CHROMIUM_PATH: chromium,
    PORT: String(port),
    BACKEND_PORT: String(await freePort(port + 1)),
  }
}

/** Breaks an expectation of the tests, and replays the trace that the failure leaves. */
async function expectTraceOfFailure(trial: Trial): Promise<void> {
  const file = join(trial.app, 'tests/notes.spec.ts')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace("['Buy rope']", "['Sell rope']"))
  try {
    const env = { ...trial.env, ...(await playwrightEnv(trial)) }
    const { code, text: output } = await runIn(trial.app, 'npm', ['test'], env, PATIENCE)
    const [trace] = /test-results\S+\.gz\b/.exec(output) ?? []
    if (code === 0 || trace === undefined) throw new Error('the broken test left no trace')
    const args = ['node_modules/@chartroom/devtools/cli/bin.js', 'replay', trace]
    if (!output.includes('what differed from a run that passed'))
      throw new Error('the broken test was not compared with the run that passed')
    const replay = await runIn(trial.app, process.execPath, args)
    if (!replay.text.includes('EXACT')) throw new Error(`the replay is not exact: ${replay.text}`)
  } finally {
    await writeFile(file, text)
  }
}

async function expectExact(script: Trial['script']): Promise<void> {
  const text = await script('replay')
  if (!text.includes('EXACT')) throw new Error(`the replay is not exact: ${text}`)
}

export async function buildAndDrive(trial: Trial, options: { readonly isRendered: boolean }): Promise<void> {
  await trial.step('build', async () => void (await trial.script('build')))
  await withServer(trial, 'start', async url => {
    await drivePage(trial, url, options)
    if (options.isRendered) await driveLink(trial, url)
  })
}

/** Runs a script that serves the app, and stops it after `drive`. */
export async function withServer(
  { app, env }: Trial,
  script: string,
  drive: (url: string) => Promise<void>,
): Promise<void> {
  const port = await freePort(4_600)
  const url = `http://localhost:${port}`
  const args = ['run', script, '--', '--port', String(port)]
  // Some servers take the flag, others the variables.
  const place = { PORT: String(port), HOST: 'localhost' }
  const server = await startServer({ folder: app, program: 'npm', args, env: { ...env, ...place } }, () =>
    isServed(url),
  )
  try {
    await drive(url)
  } finally {
    await server.stop()
  }
}

const isServed = (url: string) =>
  fetch(url).then(
    response => response.ok,
    () => false,
  )

async function expectNone({ app }: Trial, folder: string, pattern: RegExp): Promise<void> {
  for (const name of await readdir(join(app, folder))) {
    if (pattern.test(name)) throw new Error(`${folder}/${name}`)
    const found = pattern.exec(await readFile(join(app, folder, name), 'utf8'))
    if (found) throw new Error(`${folder}/${name} contains ${found[0]}`)
  }
}
