// How the packages are installed in an app: from the files that the repository builds, since npm has none.

type Package = 'chartroom' | 'chartroom-backend' | 'chartroom-devtools'

/** A sentence with the command that installs a package. @param flags of `npm install`, with a space at the end */
export const installSentence = (name: Package, flags: '' | '--save-dev ' = ''): string =>
  `npm install ${flags}PATH/dist-packages/${name}.tgz (npm run build:package in Chartroom's repository writes the file)`
