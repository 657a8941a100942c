// `npm run build:package`: builds both packages and packs them into dist-packages; prints how an app installs them,
// and the size of the package.
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { packFolder } from './pack.ts'
import { buildBackendPackage } from './package-backend.ts'
import { buildPackage, ENTRIES } from './package-build.ts'
import { BUDGETS, measure } from './package-size.ts'
import { measureTotal, TOTALS } from './package-total.ts'
import { root } from './tool.ts'

const out = join(root, 'dist-package')
await buildPackage(out)
const outBackend = join(root, 'dist-package-backend')
await buildBackendPackage(outBackend)

// Their names have no version, so that the manifests of the examples can name them.
const packed = join(root, 'dist-packages')
await rm(packed, { recursive: true, force: true })
await mkdir(packed)
const tarball = join(packed, 'chartroom.tgz')
const tarballOfBackend = join(packed, 'chartroom-backend.tgz')
await rename(await packFolder(out, packed), tarball)
await rename(await packFolder(outBackend, packed), tarballOfBackend)
console.log(`In an app:
  npm install ${tarball} @supabase/supabase-js
  npm install --save-dev ${tarballOfBackend}
`)

for (const entry of Object.values(ENTRIES)) {
  const { initial, onDemand } = await measure(out, entry)
  const budget = BUDGETS[entry]
  const later = Object.entries(onDemand).map(([name, bytes]) => `${name} ${kilobytes(bytes)}`)
  console.log(
    `${entry}: ${kilobytes(initial)}${budget === undefined ? '' : ` of ${kilobytes(budget)}`}`,
    later.length === 0 ? '' : `(on first use: ${later.join(', ')})`,
  )
  if (budget !== undefined && initial > budget) process.exitCode = 1
}

console.log('\nAn app with its libraries, minified and gzipped:')
for (const [name, { budget }] of Object.entries(TOTALS)) {
  const { initial, lazy, byPackage } = await measureTotal(out, name)
  const parts = Object.entries(byPackage).map(([part, bytes]) => `${part} ${kilobytes(bytes)}`)
  console.log(
    `${name}: ${kilobytes(initial)}${budget === undefined ? '' : ` of ${kilobytes(budget)}`} and ${kilobytes(lazy)} on first use\n  ${parts.join(', ')}`,
  )
  if (budget !== undefined && initial > budget) process.exitCode = 1
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
