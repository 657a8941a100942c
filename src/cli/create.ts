// `create-chartroom`: a new app from a template. The templates are the repository's example apps.
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { defineCommand, nearestName, UsageError } from './command.ts'
import { print } from './print.ts'

const TEMPLATES = {
  react: 'React and Vite, with the console in development',
  next: 'Next.js, the session in cookies, rows rendered on the server',
  sveltekit: 'SvelteKit, the session in cookies, rows rendered on the server',
  vue: 'Vue and Vite',
  xstate: 'XState without Supabase: recorded, replayed and tested',
} as const

const NAMES = Object.keys(TEMPLATES)

/** Next to the program in its package. */
const FOLDER = fileURLToPath(new URL('../templates/', import.meta.url))

export const createCommand = defineCommand({
  program: 'create-chartroom',
  usage: '[DIR] [--template NAME] [--packed DIR]',
  text: `Writes a new app into DIR, which must be empty or not exist. Without DIR or a template, it asks.

Templates:
${NAMES.map(name => `  ${name.padEnd(10)} ${TEMPLATES[name as keyof typeof TEMPLATES]}`).join('\n')}

Exit code: 0 written, 2 wrong usage, or a folder that is not empty.`,
  flags: {
    template: { type: 'string', value: 'NAME', about: `one of ${NAMES.join(', ')}`, oneOf: NAMES },
    packed: {
      type: 'string',
      value: 'DIR',
      about:
        "depends on the packed packages in this folder, which is dist-packages of Chartroom's repository",
    },
  },
  takes: [0, 1, 'folder'],
  async run({ values, names: [target] }): Promise<0> {
    const folder = target ?? (await ask('Folder of the app', 'chartroom-app', 'DIR'))
    const template = values.template ?? (await askTemplate())
    const app = resolve(folder)
    await checkEmpty(app, folder)
    const archive = values.packed === undefined ? undefined : resolve(values.packed)
    await writeApp(template, app, archive)
    print(`Created ${folder} from the template ${template}.\n\n${await nextSteps(app, folder)}\n`)
    return 0
  },
})

/** @throws UsageError that names the argument, without a terminal */
async function ask(question: string, usual: string, argument: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(`Name it: ${argument} is missing.`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = (await terminal.question(`${question} (${usual}): `)).trim()
    return answer === '' ? usual : answer
  } finally {
    terminal.close()
  }
}

async function askTemplate(): Promise<string> {
  const answer = await ask(`Template: ${NAMES.join(', ')}`, 'react', `--template ${NAMES.join('|')}`)
  if (NAMES.includes(answer)) return answer
  const close = nearestName(answer, NAMES)
  throw new UsageError(
    `No template is called "${answer}". ${close === undefined ? `Use ${NAMES.join(', ')}.` : `Did you mean "${close}"?`}`,
  )
}

async function checkEmpty(app: string, folder: string): Promise<void> {
  const entries = await readdir(app).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new UsageError(`${folder} cannot be used: ${error.message}`)
  })
  const [first] = entries.filter(name => name !== '.git')
  if (first !== undefined)
    throw new UsageError(`${folder} is not empty: it has ${first}. Name another folder; nothing was written.`)
}

/** @param archive the folder of the packed packages; without it, dependencies have the versions of this package */
async function writeApp(template: string, app: string, archive: string | undefined): Promise<void> {
  const source = join(FOLDER, template)
  const text = await readFile(join(source, 'package.json'), 'utf8')
  const manifest = JSON.parse(text) as Record<string, Record<string, string> | undefined>
  for (const part of [manifest['dependencies'], manifest['devDependencies']])
    for (const name of Object.keys(part ?? {}))
      if (part && archive !== undefined && isOurs(name)) part[name] = dependency(name, app, archive)
  const namedManifest = { ...manifest, name: packageName(basename(app)) }
  await mkdir(app, { recursive: true })
  await cp(source, app, { recursive: true })
  // npm leaves out files of these names when it packs.
  for (const file of await readdir(app, { recursive: true }))
    if (basename(file).startsWith('_'))
      await rename(
        join(app, file),
        join(app, file.slice(0, -basename(file).length), `.${basename(file).slice(1)}`),
      )
  await writeFile(join(app, 'package.json'), `${JSON.stringify(namedManifest, undefined, 2)}\n`)
}

const isOurs = (name: string) => name === 'chartroom' || name.startsWith('@chartroom/')

/** @throws UsageError if the package is not there */
function dependency(name: string, app: string, archive: string): string {
  const file = join(archive, `${name.replace('@chartroom/', 'chartroom-')}.tgz`)
  if (existsSync(file)) return `file:${relative(app, file).split(sep).join('/')}`
  throw new UsageError(
    `${file} does not exist. \`npm run build:package\` in Chartroom's repository writes it; nothing was written.`,
  )
}

/** A name that npm accepts, made from that of the folder. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z\d._-]+/g, '-')
    .replace(/^[._-]+/, '')
  return name === '' ? 'chartroom-app' : name
}

/** The commands of the README, for the package manager that runs this. */
async function nextSteps(app: string, folder: string): Promise<string> {
  const readme = await readFile(join(app, 'README.md'), 'utf8')
  const [, block = ''] = /```sh\n(.*?)```/s.exec(readme) ?? []
  const [manager = 'npm'] = (process.env['npm_config_user_agent'] ?? 'npm').split('/')
  const commands = manager === 'npm' ? block : block.replaceAll(/^npm (?:run (?:-s )?)?/gm, `${manager} `)
  return `  cd ${folder}\n${commands.replaceAll(/^(?=.)/gm, '  ')}\nREADME.md says what it has.`
}
