not a migration;
