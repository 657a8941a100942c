not a migration either;
