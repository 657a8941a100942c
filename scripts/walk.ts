// `npm run walk`: walks through the product as a user, takes pictures of every state in every size and
// theme, and checks each with axe.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runScript } from './run-script.ts'
import { openStudio, type Studio } from './screenshots/studio.ts'
import { signIn } from './screenshots/harbour.ts'
import { root } from './tool.ts'
import { ACTS } from '../tests/browser/states/index.ts'
import { ensureViewer } from '../tests/harness/viewer-file.ts'
import { startProduct, type ProductProcess } from './walk/product.ts'
import { CONTEXT, openStage, PATIENCE_MS, type Seen } from './walk/stage.ts'

const USAGE = `Usage: npm run walk -- [ACT…] [--out DIR]

Starts the product, walks through the states in tests/browser/states at 1440, 1024 and 390 px, light and
dark, and checks each with axe. Of each state it writes a picture of every look, and a sheet (.jpg) with all of them.

  ACT         ${[...ACTS.keys()].join(', ')} (default all)
  --out DIR   Folder for the pictures (default .walk)

Exit code: 0 all states were seen, and axe found nothing; 1 otherwise; 2 wrong usage.`

interface Flags {
  readonly acts: readonly string[]
  readonly folder: string
  readonly help: boolean
}

/** On a machine where nothing is built but what \`npm ci\` prepares. */
const FIRST_ROW_LIMIT_MS = 6_000

await runScript(USAGE, read, main)

function read(): Flags | string {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string', default: join(root, '.walk') },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const unknown = positionals.find(name => !ACTS.has(name))
  if (unknown !== undefined) return `There is no act "${unknown}".`
  return { acts: positionals, folder: values.out, help: values.help }
}

async function main({ acts, folder }: Flags): Promise<number> {
  await ensureViewer()
  const studio = await openStudio([])
  const seen: Seen[] = []
  try {
    const product = await startProduct()
    try {
      await reportFirstRow(studio, product)
      for (const [act, walk] of ACTS) {
        if (acts.length > 0 && !acts.includes(act)) continue
        const onSeen = (each: Seen) => {
          seen.push(each)
          console.log(lineOf(each))
        }
        const stage = await openStage(studio, { act, folder, onSeen })
        for (const state of walk(stage.page, product)) await stage.see(state)
        await stage.page.context().close()
      }
    } finally {
      await product.stop()
    }
  } finally {
    await studio.close()
  }
  const failed = seen.filter(({ failure }) => failure !== undefined)
  const findings = seen.flatMap(each => each.findings)
  const pictures = seen.reduce((sum, each) => sum + each.pictures, 0)
  console.log(
    `\n${seen.length} states, ${pictures} pictures in ${folder}, ${findings.length} findings, ${failed.length} failed`,
  )
  return failed.length + findings.length === 0 ? 0 : 1
}

/** From the start of the process to the first row of a table, with a sign-in in between. */
async function reportFirstRow(studio: Studio, { url, startedAt, skipper }: ProductProcess): Promise<void> {
  const page = await studio.open(CONTEXT)
  page.setDefaultTimeout(PATIENCE_MS)
  await signIn(page, url, skipper)
  await page.getByRole('grid').first().getByRole('row').nth(1).waitFor()
  const took = performance.now() - startedAt
  const verdict = took <= FIRST_ROW_LIMIT_MS ? 'within' : 'over'
  console.log(`from start to the first row: ${seconds(took)}, ${verdict} ${seconds(FIRST_ROW_LIMIT_MS)}\n`)
  await page.context().close()
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

function lineOf({ act, state, pictures, milliseconds, findings, failure }: Seen): string {
  const outcome =
    failure === undefined ? (findings.length === 0 ? 'ok' : `${findings.length} findings`) : 'failed'
  const line = `${act.padEnd(14)} ${state.padEnd(22)} ${String(pictures).padStart(2)} ${seconds(milliseconds).padStart(7)}  ${outcome}`
  return [line, ...findings, ...(failure === undefined ? [] : [failure])].join('\n    ')
}
