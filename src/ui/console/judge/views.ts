// The check and export views, loaded together.
export { CoverageTab } from './coverage-tab.tsx'
export { DivergenceTab } from './divergence-tab.tsx'
export { JudgeTab } from './judge-tab.tsx'
export { KeepTab } from './keep-tab.tsx'
