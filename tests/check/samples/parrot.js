module.exports = class { id() { return 'parrot'; } async callApi(prompt) {
  if (prompt.includes('brioche')) return { error: 'oven is cold' };
  return { output: prompt.split('.')[0] }; } };
