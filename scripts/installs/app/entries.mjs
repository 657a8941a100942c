// Imports the entries named by the arguments, each from the app's own folder.
const failed = []
for (const name of process.argv.slice(2)) {
  try {
    await import(name)
  } catch (error) {
    failed.push(`${name}: ${error.message}`)
  }
}
console.log(JSON.stringify(failed))
