"""moto with checks of signatures. Creates a user with a key, and a bucket. Then prints `key secret`.

usage: strict_moto.py PORT [BUCKET]   (moto itself runs with INITIAL_NO_AUTH_ACTION_COUNT=10)
"""
import json
import sys
import time

import boto3
import botocore.exceptions

place = f"http://127.0.0.1:{sys.argv[1]}"
bucket = sys.argv[2] if len(sys.argv) > 2 else "ffb"
open_session = boto3.Session("open", "open", region_name="us-east-1")
iam = open_session.client("iam", endpoint_url=place)
for _ in range(100):
    try:
        iam.create_user(UserName="ff")
        break
    except botocore.exceptions.EndpointConnectionError:
        time.sleep(0.1)
policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
iam.put_user_policy(UserName="ff", PolicyName="all", PolicyDocument=json.dumps(policy))
key = iam.create_access_key(UserName="ff")["AccessKey"]
open_session.client("s3", endpoint_url=place).create_bucket(Bucket=bucket)
for _ in range(20):
    try:
        iam.list_users()
    except botocore.exceptions.ClientError:
        break
print(key["AccessKeyId"], key["SecretAccessKey"], flush=True)
