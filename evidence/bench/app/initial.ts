// Measures how much JavaScript the app's page loads initially, and until sign-in is usable.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { initialSize, signInSize } from '../../../scripts/deploy/initial-size.ts'
import { root, runTool } from '../../../scripts/tool.ts'
import type { Benchmark } from '../contract.ts'

const PEER = 'react-dom and @supabase/supabase-js alone'

export const initialJs: Benchmark = {
  name: 'initial-js',
  unit: 'kB gzip',
  peer: PEER,
  measure: samples => weigh(samples, async dir => (await initialSize(dir)).bytes),
}

export const signInJs: Benchmark = {
  name: 'initial-js-sign-in',
  unit: 'kB gzip',
  peer: PEER,
  measure: samples => weigh(samples, async dir => (await signInSize(dir)).bytes),
}

/** The size of a build is deterministic, so it is measured once. */
async function weigh(samples: number, ours: (dir: string) => Promise<number>) {
  const dir = await mkdtemp(join(tmpdir(), 'chartroom-initial-'))
  try {
    const { code, output } = await runTool('vite', ['build', '--outDir', dir, '--logLevel', 'error'], {
      env: { NODE_ENV: 'production' },
    })
    if (code !== 0) throw new Error(`Failed to build the app:\n${output}`)
    const [own, peer] = [await ours(dir), await peerSize()]
    const times = (bytes: number) => Array.from({ length: samples }, () => bytes / 1000)
    return { ours: times(own), peer: times(peer) }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const APP = 'virtual:peer'
const CODE = `import { createRoot } from 'react-dom/client'
import { createClient } from '@supabase/supabase-js'
createRoot(document.body).render(String(createClient))`

async function peerSize(): Promise<number> {
  const result = await build({
    configFile: false,
    root,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      { name: 'peer', resolveId: id => (id === APP ? id : null), load: id => (id === APP ? CODE : null) },
    ],
    build: { write: false, target: 'es2023', rollupOptions: { input: APP } },
  })
  const [first] = Array.isArray(result) ? result : [result]
  if (!first || !('output' in first)) throw new Error('Nothing was bundled.')
  const chunks = first.output.filter((part): part is Rolldown.OutputChunk => part.type === 'chunk')
  return chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
}
