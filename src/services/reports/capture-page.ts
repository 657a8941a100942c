// A picture of the page, taken by the browser after the user has agreed in the browser's own dialog.

/** What browsers accept beyond the standard, to offer this tab first. */
interface CaptureOptions extends DisplayMediaStreamOptions {
  readonly preferCurrentTab?: boolean
  readonly selfBrowserSurface?: 'include'
}

const OPTIONS: CaptureOptions = {
  video: { displaySurface: 'browser' },
  audio: false,
  preferCurrentTab: true,
  selfBrowserSurface: 'include',
}

/**
 * Takes a picture of the page as WebP. The browser asks the user which tab, window or screen may be seen, so
 * call it in response to a click.
 * @returns undefined if the user declined or the browser has no screen capture, as on phones
 */
export async function capturePage(): Promise<Blob | undefined> {
  const { mediaDevices } = navigator as { readonly mediaDevices?: MediaDevices }
  if (!mediaDevices || !('getDisplayMedia' in mediaDevices)) return undefined
  let stream: MediaStream
  try {
    stream = await mediaDevices.getDisplayMedia(OPTIONS)
  } catch {
    return undefined
  }
  try {
    const video = document.createElement('video')
    video.srcObject = stream
    video.muted = true
    await video.play()
    const canvas = document.createElement('canvas')
    canvas.width = video.videoWidth
    canvas.height = video.videoHeight
    canvas.getContext('2d')?.drawImage(video, 0, 0)
    return await new Promise(resolve => canvas.toBlob(blob => resolve(blob ?? undefined), 'image/webp', 0.8))
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}
