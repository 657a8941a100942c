// Builds the app once, before any browser test starts the product.
import { ensureApp } from '../../scripts/app-build.ts'

export async function setup(): Promise<void> {
  await ensureApp()
}
