// The public entry `@chartroom/devtools/playwright/reporter`, for `reporter` in the configuration of Playwright.
// Playwright requires a default export.
export { FirstDifferenceReporter as default } from '../../testing/playwright/reporter.ts'
