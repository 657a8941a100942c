// Builds the app and the viewer once, before any browser test opens them.
import { ensureApp } from '../../scripts/app-build.ts'
import { ensureViewer } from './viewer-file.ts'

export async function setup(): Promise<void> {
  await Promise.all([ensureApp(), ensureViewer()])
}
