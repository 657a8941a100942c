// `npm run build:package`: builds the packages and packs them into dist-packages; prints how an app installs them, and
// their sizes.
import { join } from 'node:path'
import { buildAndPack } from './pack.ts'
import { BUDGETS, measure } from './package-size.ts'
import { measureTotal, TOTALS } from './package-total.ts'
import { root } from './tool.ts'

const out = join(root, 'dist-packages')
const [own, devtools, backend, create] = Object.values(await buildAndPack(out))
console.log(`In an app:
  npm install ${own} @supabase/supabase-js
  npm install --save-dev ${devtools} ${backend}
A new app:
  npm exec --package ${create} -- create-chartroom my-app --packed ${out}
`)

for (const [statement, budget] of Object.entries(BUDGETS)) {
  const { initial, onDemand } = await measure(out, statement)
  const later = Object.entries(onDemand).map(([name, bytes]) => `${name} ${kilobytes(bytes)}`)
  console.log(
    `${statement}: ${kilobytes(initial)} of ${kilobytes(budget)}`,
    later.length === 0 ? '' : `(on first use: ${later.join(', ')})`,
  )
  if (initial > budget) process.exitCode = 1
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
