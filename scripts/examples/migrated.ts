// Apps with @supabase/ssr as Supabase's documentation shows it, which `chartroom migrate` moves before they are built.
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runIn } from '../matrix/installers.ts'
import { fileDependencies } from '../pack.ts'
import { root } from '../tool.ts'
import { buildAndDrive, withServer } from './examples.ts'
import { openNotes } from './page-drive.ts'
import { type Example, EXAMPLES, type Trial } from './trial.ts'

/** Their folders. */
export const APPS = join(root, 'scripts/examples/apps')

interface Options {
  /** Defaults to the one with the row's name. */
  readonly folders?: readonly string[]
  /** Copied over the migrated app: the use of what supabase-js does not have. */
  readonly added?: string
}

const app = (
  name: string,
  packages: readonly string[],
  { folders = [name], added }: Options = {},
): Example => ({
  name,
  packages,
  // With the types of the database.
  folders: [join(EXAMPLES, 'project'), ...folders.map(folder => join(APPS, folder))],
  async run(trial) {
    await trial.step('migrate', () => migrate(trial))
    if (added !== undefined) await cp(join(APPS, added), trial.app, { recursive: true })
    await trial.step('types after it', async () => void (await trial.script('types')))
    await buildAndDrive(trial, { isRendered: true })
    await trial.step('development', () => withServer(trial, 'dev', url => signIn(trial, url)))
  },
})

export const migrated: readonly Example[] = [
  app('next-15', ['next', 'react'], { folders: ['react', 'next', 'next-15'] }),
  app('next-16', ['next', 'react'], { folders: ['react', 'next', 'next-16'] }),
  app('next-16-cache', ['next', 'react'], {
    folders: ['react', 'next', 'next-16', 'next-16-cache'],
    added: 'next-16-cache-added',
  }),
  app('sveltekit-2', ['@sveltejs/kit', 'svelte']),
  app('react-router-7', ['react-router', 'vite'], { folders: ['react', 'react-router-7'] }),
  app('nuxt-4', ['nuxt', 'vue']),
  app('tanstack-start', ['@tanstack/react-start', 'vite'], { folders: ['react', 'tanstack-start'] }),
  app('astro-7', ['astro', '@astrojs/node']),
]

const OURS: readonly string[] = ['chartroom', '@chartroom/devtools']

interface Report {
  readonly changes: readonly { readonly file: string; readonly calls: number }[]
  readonly remarks: readonly { readonly file: string; readonly line: number; readonly text: string }[]
}

/** Adds our packages to the app, and runs the command of one of them. @throws Error if it left a place */
async function migrate({ app, tarballs, install }: Trial): Promise<void> {
  const file = join(app, 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { dependencies: Record<string, string> }
  const ours = Object.entries(fileDependencies(tarballs)).filter(([name]) => OURS.includes(name))
  Object.assign(manifest.dependencies, Object.fromEntries(ours))
  await writeFile(file, JSON.stringify(manifest, undefined, 2))
  await install()
  const { text } = await runIn(app, 'npx', ['--no-install', 'chartroom', 'migrate', '--json'])
  const { changes, remarks } = JSON.parse(text) as Report
  const [remark] = remarks
  if (remark) throw new Error(`${remark.file}:${remark.line} ${remark.text}`)
  // One for the page, and one for the server.
  if (changes.reduce((sum, { calls }) => sum + calls, 0) < 2)
    throw new Error(`it changed ${changes.length} files`)
}

async function signIn(trial: Trial, url: string): Promise<void> {
  const notes = await openNotes(trial, url)
  // Vite bundles dependencies when it finds them, and the first page may lack some.
  await notes.open(url)
  await notes.signIn()
  await notes.signOut()
  await notes.close()
}
