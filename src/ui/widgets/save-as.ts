// Hands something made in the page to the browser as a file.

export function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = name
  anchor.click()
  // Revoking at once can cancel the download in some browsers; a minute is late enough.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
