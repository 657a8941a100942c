// `npm run build`: the app as files for any static host, in dist or where `--out` says.
import { parseArgs } from 'node:util'
import { relative, resolve } from 'node:path'
import { appDir, forgetBuild } from './app-build.ts'
import { BUDGET, initialSize } from './deploy/initial-size.ts'
import { root, runTool } from './tool.ts'

const USAGE = `Usage: npm run build [-- --base PATH] [--out DIR]

  --base PATH   Where on its host the app will be, as /chartroom/ (default /)
  --out DIR     Where the files go (default dist)

docs/guide/deploy.md says what a host needs.`

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const flags = read(args)
  if (typeof flags === 'string') {
    console.error(`${flags}\n\n${USAGE}`)
    return 2
  }
  if (flags.help) {
    console.log(USAGE)
    return 0
  }
  const out = resolve(root, flags.out)
  // `npm start` serves that folder as well, and from no other address than /.
  if (out === appDir) await forgetBuild()
  const { code, output } = await runTool(
    'vite',
    ['build', '--base', flags.base, '--outDir', out, '--emptyOutDir'],
    {
      env: { NODE_ENV: 'production' },
    },
  )
  if (code !== 0) {
    console.error(`The app could not be built:\n${output.trimEnd()}`)
    return 1
  }
  const { bytes, files } = await initialSize(out)
  console.log(`Built into ${relative(process.cwd(), out) || '.'}, for ${flags.base}`)
  console.log(
    `  JavaScript from the start: ${kB(bytes)} gzip in ${files.length} files (at most ${kB(BUDGET)})`,
  )
  return bytes > BUDGET ? 1 : 0
}

/** A declaration, since `main` runs above it. */
function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

function read(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        base: { type: 'string', default: '/' },
        out: { type: 'string', default: 'dist' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (!/^\/([\w.~-]+\/)*$/.test(values.base))
      return `--base must begin and end with a slash: ${values.base}`
    return values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
