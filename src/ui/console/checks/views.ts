// The check and export views, loaded together.
export { CoverageTab } from './coverage-tab.tsx'
export { DivergenceTab } from './divergence-tab.tsx'
export { ChecksTab } from './checks-tab.tsx'
export { ExportTab } from './export-tab.tsx'
