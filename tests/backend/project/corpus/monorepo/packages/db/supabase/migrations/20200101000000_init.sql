this file is from the first versions of the CLI, which did not run it;
