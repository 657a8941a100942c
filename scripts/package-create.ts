// Builds the package `create-chartroom`: its program, and the example apps as templates.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { NODE_NEEDED } from '../src/cli/node-needed.ts'
import { ownDocuments, withoutLinks } from './package-docs.ts'
import { PUBLISHED, readManifest } from './package-names.ts'
import { root, runTool } from './tool.ts'

/** The examples that are templates. */
const TEMPLATES = ['next', 'react', 'sveltekit', 'vue', 'xstate'] as const

const PACKED = /file:\.\.\/\.\.\/dist-packages\/[\w-]+\.tgz/g

/** Writes manifest, documents and templates into `out`, which has the program. */
export async function writeCreatePackage(out: string): Promise<void> {
  const { version, license, author } = readManifest('package.json')
  const manifest = {
    name: 'create-chartroom',
    version,
    description: 'Writes a new app with Chartroom, from a template.',
    keywords: ['supabase', 'xstate', 'create', 'starter'],
    license,
    author,
    type: 'module',
    bin: { 'create-chartroom': './cli/create-bin.js' },
    engines: { node: `>=${NODE_NEEDED}` },
    publishConfig: PUBLISHED,
  }
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const [page, source] of await ownDocuments('create-chartroom')) {
    const text = await readFile(join(root, source), 'utf8')
    await writeFile(
      join(out, page),
      withoutLinks(text, () => false),
    )
  }
  for (const file of ['LICENSE', 'CHANGELOG.md']) await cp(join(root, file), join(out, file))
  for (const name of TEMPLATES) await writeTemplate(name, join(out, 'templates', name), version)
}

async function writeTemplate(name: string, out: string, version: string): Promise<void> {
  const folder = join(root, 'examples', name)
  for (const file of await committedFiles(folder)) {
    const path = join(out, dirname(file), basename(file).replace(/^\./, '_'))
    await mkdir(dirname(path), { recursive: true })
    await cp(join(folder, file), path)
  }
  const manifest = await readFile(join(folder, 'package.json'), 'utf8')
  const own = manifest.replaceAll(PACKED, version).replaceAll('--project ../project', '--project .')
  await writeFile(join(out, 'package.json'), own)
  await writeFile(join(out, 'README.md'), readmeOf(await readFile(join(folder, 'README.md'), 'utf8')))
  await writeFile(
    join(out, '_gitignore'),
    'node_modules\ndist\nbuild\n.next\n.svelte-kit\ntest-results\n.chartroom\n',
  )
  if (own !== manifest && own.includes('--project .'))
    await cp(join(root, 'examples/project/supabase'), join(out, 'supabase'), { recursive: true })
}

/** What an example says of the repository does not hold for a separate app. */
const readmeOf = (text: string): string =>
  withoutLinks(text, () => false)
    .replace(/^npm --prefix .*\n/m, '')
    .replace(/The first line builds the packages? from this repository\. /, '')
    .replace(
      'The third is the embedded backend with the schema in `../project`',
      'The second is the embedded backend with the schema in `supabase`',
    )
    .replace(/^Guide: [^.]*\. ?/m, '')

/** Without installed and built files. */
async function committedFiles(folder: string): Promise<string[]> {
  const { code, output } = await runTool('git', ['ls-files'], { cwd: folder })
  if (code !== 0) throw new Error(`git ls-files failed in ${folder}: ${output}`)
  return output.trim().split('\n')
}
