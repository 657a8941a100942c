// Lints virtual files with the project's configuration, all in one run of oxlint.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Report {
  readonly diagnostics: readonly {
    readonly filename: string
    readonly code?: string
    readonly message: string
    readonly labels: readonly { readonly span: { readonly line: number } }[]
  }[]
}

/** A line of code in a virtual file. */
export interface Line {
  readonly path: string
  readonly code: string
}

/**
 * Lints the lines, those of one path in one file; returns the broken rules of each line with their messages.
 * `remaining` is how many imports of inner modules test files still have.
 */
export async function lintLines(
  lines: readonly Line[],
  remaining: Readonly<Record<string, number>> = {},
): Promise<ReadonlyMap<Line, ReadonlyMap<string, string>>> {
  const files = Map.groupBy(lines, line => line.path)
  const tree = await mkdtemp(join(tmpdir(), 'chartroom-lint-'))
  try {
    for (const file of ['oxlint.config.ts', 'scripts/lint-plugin.ts'])
      await cp(join(root, file), join(tree, file))
    await mkdir(join(tree, 'tests/lint'), { recursive: true })
    await writeFile(join(tree, 'tests/lint/inner-imports.json'), JSON.stringify(remaining))
    await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
    for (const [path, content] of files) {
      await mkdir(dirname(join(tree, path)), { recursive: true })
      await writeFile(join(tree, path), content.map(line => line.code).join('\n'))
    }
    const { diagnostics } = JSON.parse(await oxlint(tree)) as Report
    const broken = new Map(lines.map(line => [line, new Map<string, string>()]))
    for (const { filename, code, message, labels } of diagnostics) {
      if (!code) throw new Error(`${filename} was not linted: ${message}`)
      const line = files.get(filename)?.[(labels[0]?.span.line ?? 0) - 1]
      if (line) broken.get(line)?.set(code, message)
    }
    return broken
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
}

function oxlint(cwd: string): Promise<string> {
  const program = join(root, 'node_modules/oxlint/bin/oxlint')
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, '--format=json'],
      { cwd, maxBuffer: 1e8 },
      (error, stdout, stderr) => {
        if (stdout.trimStart().startsWith('{')) resolve(stdout)
        else reject(new Error(`oxlint gave no report: ${stdout}${stderr}`, { cause: error }))
      },
    )
  })
}
