import pulumi
import pulumi_command as command
import pulumi_digitalocean as digitalocean
import pulumi_github as github
import pulumi_random as random
import pulumi_tls as tls

passwords = [
    random.RandomPassword(f"passwords-{i}", length=16 + i, special=False)
    for i in range(3)
]

keys = [tls.PrivateKey(f"keys-{i}", algorithm="RSA", rsa_bits=4096) for i in range(2)]

ssh_key = digitalocean.SshKey(
    "sshKey", name="deploy", public_key=keys[0].public_key_openssh
)

secret_one = github.ActionsSecret(
    "secretOne", repository="shop", secret_name="DB_PASSWORD", value=passwords[1].result
)

mixed = command.local.Command(
    "mixed",
    create=pulumi.Output.format("echo {0}-{1}", passwords[0].length, keys[1].algorithm),
)

pulumi.export("last", passwords[2].bcrypt_hash)
pulumi.export("pems", [keys[0].public_key_pem, keys[1].public_key_pem])
